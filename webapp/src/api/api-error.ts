import { isAxiosError } from 'axios';
import type { Failure, PriceQuote, Quote } from './types';

/** The failure of a call: an error response of the server, or no response at all. */
export class ApiError extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The HTTP status text; empty without a response. */
  readonly statusText: string;
  /** Messages by field of the request; empty unless the error is ERRVALIDATION. */
  readonly fields: Readonly<Record<string, string>>;
  /** The current open payment or quote, with ERRQUOTE. */
  readonly quote: Quote | PriceQuote | null;
  /** Whether the message was written by the server for the customer. */
  readonly hasServerMessage: boolean;

  constructor(
    name: string,
    message: string,
    options: {
      status?: number;
      statusText?: string;
      fields?: object;
      quote?: Quote | PriceQuote | null;
      hasServerMessage?: boolean;
    } = {},
  ) {
    super(message);
    this.name = name;
    this.status = options.status ?? 0;
    this.statusText = options.statusText ?? '';
    this.fields = { ...options.fields };
    this.quote = options.quote ?? null;
    this.hasServerMessage = options.hasServerMessage ?? false;
  }

  /** The fresh quote, when the request contained another amount. */
  get priceQuote(): PriceQuote | null {
    return this.quote && 'dueNow' in this.quote ? this.quote : null;
  }

  /** The open payment, when the request named another invoice or amount. */
  get openQuote(): Quote | null {
    return this.quote && 'invoiceId' in this.quote ? this.quote : null;
  }

  /** Whether the session ended or was replaced by another one. */
  get sessionOver(): boolean {
    return this.status === 401 || this.name === 'ERRXSRF';
  }
}

type FailureBody = Partial<Omit<Failure, 'quote'>> & { quote?: Quote | PriceQuote };

/**
 * Converts any failure of a call to an ApiError. The message is the server's, else that of axios ("Network
 * Error", "Request aborted", "timeout of 60000ms exceeded", "Request failed with status code N").
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isAxiosError<FailureBody | null>(error)) {
    return new ApiError('ERRUNKNOWN', error instanceof Error ? error.message : String(error));
  }
  const { response, code = 'ERRUNKNOWN', message } = error;
  const { name, message: serverMessage, fields, quote } = response?.data ?? {};
  return new ApiError(name || code, serverMessage || message, {
    status: response?.status,
    statusText: response?.statusText,
    fields,
    quote,
    hasServerMessage: Boolean(serverMessage),
  });
}
