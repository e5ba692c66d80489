import { isAxiosError } from 'axios';
import type { Failure, Quote } from './types';

/** A call that did not succeed: what the server said, or what kept it from saying anything. */
export class ApiError extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The HTTP status text; empty without a response. */
  readonly statusText: string;
  /** Messages for single fields of what was sent; empty but for ERRVALIDATION. */
  readonly fields: Readonly<Record<string, string>>;
  /** What is open now, with ERRQUOTE. */
  readonly quote: Quote | null;
  /** Whether the message is the server's own, meant for a person. */
  readonly answered: boolean;

  constructor(
    name: string,
    message: string,
    about: {
      status?: number;
      statusText?: string;
      fields?: object;
      quote?: Quote | null;
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

  /** Whether the session ended or was replaced by another one. */
  get sessionOver(): boolean {
    return this.status === 401 || this.name === 'ERRXSRF';
  }
}

/**
 * Any failure of a call as an ApiError. The message is the server's, else axios' own ("Network
 * Error", "Request aborted", "timeout of 60000ms exceeded", "Request failed with status code N").
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!isAxiosError<Partial<Failure> | null>(error)) {
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
