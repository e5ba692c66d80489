import axios from 'axios';
import { errorIn, isFailure, toApiError } from './api-error';
import type { Decoder } from './decode';

/** Timeout of a request in milliseconds. */
const requestTimeout = 60_000;

/**
 * The HTTP client for all calls. A failed call rejects with an ApiError.
 */
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

/**
 * Sends a POST and returns the decoded body of the response. The request always has a body, because the
 * server accepts JSON only.
 */
export async function post<T>(
  url: string,
  decoder: Decoder<T>,
  body: object = {},
  query: Query = {},
): Promise<T> {
  return send({ method: 'post', url, data: body, params: new URLSearchParams(query) }, decoder);
}

/** Sends a GET and returns the document of this type in the response. */
export async function getDocument(url: string, type: string): Promise<Blob> {
  try {
    const { data, status } = await http.request<Blob>({ method: 'get', url, responseType: 'blob' });
    if (!data.type?.startsWith(type)) throw errorIn(null, { status });
    return data;
  } catch (error) {
    throw toApiError(await withJson(error));
  }
}

/** Decodes the JSON error of a request for a document. */
async function withJson(error: unknown): Promise<unknown> {
  if (!axios.isAxiosError(error) || !(error.response?.data instanceof Blob)) return error;
  const { response } = error;
  try {
    response.data = JSON.parse(await response.data.text());
  } catch {
    response.data = null; // a response of a proxy
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
      throw errorIn(data, { status, cause });
    }
  } catch (error) {
    throw toApiError(error);
  }
}

/** The query of calls that carry the debug parameter. */
export function debugParam(debug: boolean): Query {
  return debug ? { debug: 'true' } : {};
}
