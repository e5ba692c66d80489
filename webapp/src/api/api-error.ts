import { isAxiosError } from 'axios';
import { fields, optional, record, text } from './decode';

interface ApiErrorOptions {
  status?: number;
  statusText?: string;
  fields?: Record<string, string>;
  quote?: unknown;
  next?: unknown;
  hasServerMessage?: boolean;
  isMalformed?: boolean;
  inProgress?: boolean;
  cause?: unknown;
}

/** The failure of a call: an error response of the server, a malformed response, or no response. */
export class ApiError extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The HTTP status text; empty without a response. */
  readonly statusText: string;
  /** Messages by field of the request; empty unless the error is ERRVALIDATION. */
  readonly fields: Readonly<Record<string, string>>;
  /** The undecoded `quote` of an ERRQUOTE; see priceQuoteIn and openInvoiceIn. */
  readonly quote: unknown;
  /** The undecoded `next` of an ERRCARD; see cardAuthenticationIn. */
  readonly next: unknown;
  /** Whether the server wrote the message, for the customer to read. */
  readonly hasServerMessage: boolean;
  /** Whether the response was malformed but no error, so that the call may have had its effect. */
  readonly isMalformed: boolean;
  /** Whether the server can't know yet what an earlier request or payment charges. */
  readonly inProgress: boolean;

  constructor(name: string, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = name;
    this.status = options.status ?? 0;
    this.statusText = options.statusText ?? '';
    this.fields = options.fields ?? {};
    this.quote = options.quote;
    this.next = options.next;
    this.hasServerMessage = options.hasServerMessage ?? false;
    this.isMalformed = options.isMalformed ?? false;
    this.inProgress = options.inProgress ?? false;
  }

  /** Whether the call failed because the session had ended, was replaced by another one or shows another organisation. */
  get sessionOver(): boolean {
    return this.status === 401 || this.name === 'ERRXSRF' || this.name === 'ERRORGANISATION';
  }
}

/** Whether the body of a response is an error object, which some servers send with status 200. */
export function isFailure(body: unknown): boolean {
  const { error, name } = fieldsOf(body);
  return Boolean(error) || /^ERR/.test(String(name));
}

/**
 * Returns the error in the body of a response, `{name, message}` or `{error: {name, message}}`. The parameters `name` and
 * `message` are used if the body has none. For an empty message, screens show their own text.
 */
export function errorIn(
  body: unknown,
  options: ApiErrorOptions,
  name = 'ERRUNKNOWN',
  message = '',
): ApiError {
  const outer = fieldsOf(body);
  const inner = fieldsOf(outer.error);
  const serverMessage = firstNonEmptyText(inner.message, outer.message, outer.error);
  return new ApiError(firstNonEmptyText(inner.name, outer.name) || name, serverMessage || message, {
    ...options,
    fields: optional(record(text), {})(outer.fields, ''),
    quote: outer.quote,
    next: outer.next,
    inProgress: outer.inProgress === true,
    hasServerMessage: serverMessage !== '',
  });
}

const fieldsOf = (value: unknown): Record<string, unknown> => optional(fields, {})(value, '');

const firstNonEmptyText = (...values: unknown[]): string =>
  values.map((value) => optional(text, '')(value, '')).find(Boolean) ?? '';

/**
 * Converts any failure of a call to an ApiError. The message is the server's, else that of axios ("Network
 * Error", "Request aborted", "timeout of 60000ms exceeded", "Request failed with status code N").
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isAxiosError<unknown>(error)) {
    return new ApiError('ERRUNKNOWN', error instanceof Error ? error.message : String(error));
  }
  const { response, code, message } = error;
  const { status, statusText } = response ?? {};
  return errorIn(response?.data, { status, statusText }, code, message);
}
