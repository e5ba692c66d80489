import axios from 'axios';
import { errorIn, isFailure, toApiError } from './api-error';
import type { Decoder } from './decode';

/** Timeout of a request in milliseconds. */
const requestTimeout = 60_000;

/** The HTTP client for all calls. `send` and `getDocument` convert its errors to ApiErrors. */
const http = axios.create({
  adapter: 'xhr',
  timeout: requestTimeout,
  responseType: 'json',
  xsrfCookieName: 'XSRF-TOKEN',
  xsrfHeaderName: 'X-XSRF-TOKEN',
  headers: { 'X-Requested-With': 'XMLHttpRequest', 'Content-Type': 'application/json' },
});

type Query = Record<string, string>;

/** Sends a GET and returns the decoded body of the response. */
export async function get<T>(url: string, decoder: Decoder<T>): Promise<T> {
  return send({ method: 'get', url }, decoder);
}

/** Sends a POST with this body and returns the decoded body of the response. */
export async function post<T>(
  url: string,
  decoder: Decoder<T>,
  body: object = {},
  query: Query = {},
): Promise<T> {
  return send({ method: 'post', url, data: body, params: new URLSearchParams(query) }, decoder);
}

/** Sends a POST without a body, as the specification has it, and returns the decoded body of the response. */
export async function postWithoutBody<T>(url: string, decoder: Decoder<T>): Promise<T> {
  // axios would send the text "null" for null, and no Content-Type for undefined.
  return send({ method: 'post', url, data: null, transformRequest: () => null }, decoder);
}

/** Sends a GET and returns the document in the response. Rejects if its media type is not `type`. */
export async function getDocument(url: string, type: string): Promise<Blob> {
  try {
    const { data, status } = await http.request<Blob>({ method: 'get', url, responseType: 'blob' });
    if (!data.type?.startsWith(type)) throw errorIn(null, { status });
    return data;
  } catch (error) {
    throw toApiError(await parseErrorBody(error));
  }
}

/**
 * Parses the body of an error response as JSON, which a request for a document receives as a Blob. Any other body becomes
 * null.
 */
async function parseErrorBody(error: unknown): Promise<unknown> {
  if (!axios.isAxiosError(error) || !(error.response?.data instanceof Blob)) return error;
  const { response } = error;
  try {
    response.data = JSON.parse(await response.data.text());
  } catch {
    response.data = null; // the response of a proxy
  }
  return error;
}

async function send<T>(
  request: Parameters<typeof http.request>[0] & { url: string },
  decoder: Decoder<T>,
): Promise<T> {
  try {
    const { data, status } = await http.request<unknown>(request);
    if (isFailure(data)) throw errorIn(data, { status });
    try {
      return decoder(data, request.url);
    } catch (cause) {
      throw errorIn(data, { status, cause, isMalformed: true });
    }
  } catch (error) {
    throw toApiError(error);
  }
}

/** Returns the query of a call with the debug parameter, if debug is on. */
export function debugQuery(debug: boolean): Query {
  return debug ? { debug: 'true' } : {};
}
