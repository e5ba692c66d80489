import { isAxiosError } from 'axios';
import type { Failure, PriceQuote, Quote } from './types';

/** A call that did not succeed: what the server said, or what kept it from saying anything. */
export class ApiError extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The HTTP status text; empty without a response. */
  readonly statusText: string;
  /** Messages for single fields of what was sent; empty but for ERRVALIDATION. */
  readonly fields: Readonly<Record<string, string>>;
  /** What is open now, or what a plan costs now, with ERRQUOTE. */
  readonly quote: Quote | PriceQuote | null;
  /** Whether the message is the server's own, meant for a person. */
  readonly answered: boolean;

  constructor(
    name: string,
    message: string,
    about: {
      status?: number;
      statusText?: string;
      fields?: object;
      quote?: Quote | PriceQuote | null;
      answered?: boolean;
    } = {},
  ) {
    super(message);
    this.name = name;
    this.status = about.status ?? 0;
    this.statusText = about.statusText ?? '';
    this.fields = { ...about.fields };
    this.quote = about.quote ?? null;
    this.answered = about.answered ?? false;
  }

  /** What a plan costs now, when another amount was quoted before. */
  get priceQuote(): PriceQuote | null {
    return this.quote && 'dueNow' in this.quote ? this.quote : null;
  }

  /** What is open now, when another invoice or amount was named. */
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
 * Any failure of a call as an ApiError. The message is the server's, else axios' own ("Network
 * Error", "Request aborted", "timeout of 60000ms exceeded", "Request failed with status code N").
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isAxiosError<FailureBody | null>(error)) {
    return new ApiError('ERRUNKNOWN', error instanceof Error ? error.message : String(error));
  }
  const { response, code = 'ERRUNKNOWN', message } = error;
  const { name, message: answer, fields, quote } = response?.data ?? {};
  return new ApiError(name || code, answer || message, {
    status: response?.status,
    statusText: response?.statusText,
    fields,
    quote,
    answered: Boolean(answer),
  });
}
