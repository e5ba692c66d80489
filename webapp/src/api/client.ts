import axios from 'axios';
import { toApiError } from './api-error';

/** How long an answer may take, in milliseconds. */
export const requestTimeout = 60_000;

/**
 * The one way to the server. It shows nothing and goes nowhere: a failed call rejects with an
 * ApiError and the caller decides.
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

/** What a GET answers. */
export async function get<T>(url: string): Promise<T> {
  return send<T>({ method: 'get', url });
}

/**
 * What a POST answers. The body is an object even when there is nothing to say, because the
 * server takes nothing but JSON.
 */
export async function post<T>(url: string, body: object = {}, query: Query = {}): Promise<T> {
  return send<T>({ method: 'post', url, data: body, params: new URLSearchParams(query) });
}

/** The document that a GET answers. */
export async function getDocument(url: string): Promise<Blob> {
  try {
    return (await http.request<Blob>({ method: 'get', url, responseType: 'blob' })).data;
  } catch (error) {
    throw toApiError(await withJson(error));
  }
}

/** The failure of a call for a document, whose answer is JSON all the same. */
async function withJson(error: unknown): Promise<unknown> {
  if (!axios.isAxiosError(error) || !(error.response?.data instanceof Blob)) return error;
  const { response } = error;
  try {
    response.data = JSON.parse(await response.data.text());
  } catch {
    response.data = null; // an answer of something between here and the server
  }
  return error;
}

async function send<T>(request: Parameters<typeof http.request>[0]): Promise<T> {
  try {
    return (await http.request<T>(request)).data;
  } catch (error) {
    throw toApiError(error);
  }
}

/** The query of the calls that take the debug gate along. */
export function gate(debug: boolean): Query {
  return debug ? { debug: 'true' } : {};
}
