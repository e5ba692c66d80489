import axios, { type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { type ApiError, errorIn, isFailure, toApiError } from './api-error';
import { cookiesError, xsrfToken } from './cookies';
import type { Decoder } from './decode';

/** Timeout of a request in milliseconds. */
const requestTimeout = 60_000;

/** The HTTP client for all calls. `send` and `loadDocument` convert its errors to ApiErrors. */
const http = axios.create({
  adapter: 'xhr',
  timeout: requestTimeout,
  responseType: 'json',
  xsrfCookieName: '', // `request` sends the token; axios fails if the browser denies access to cookies
  headers: { 'X-Requested-With': 'XMLHttpRequest', 'Content-Type': 'application/json' },
});

type Query = Record<string, string>;

/** The organisation that the page shows; empty if the server has not reported the user's organisations. */
let organisationId = '';

/**
 * Sets the organisation that the page shows, which all calls name. The server refuses calls for another organisation than
 * that of the session (ERRORGANISATION), for example after a switch in another tab.
 */
export const setOrganisation = (id: string) => {
  organisationId = id;
};

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
export const getDocument = (url: string, type: string): Promise<Blob> =>
  loadDocument({ method: 'get', url }, type);

/** Sends a POST without values and returns the document in the response, as `getDocument` does. */
export const postForDocument = (url: string, type: string): Promise<Blob> =>
  loadDocument({ method: 'post', url, data: {} }, type);

async function loadDocument(call: AxiosRequestConfig, type: string): Promise<Blob> {
  try {
    const { data, status } = await request<Blob>({ ...call, responseType: 'blob' });
    if (!data.type?.startsWith(type)) throw errorIn(null, { status });
    return data;
  } catch (error) {
    throw failureOf(await parseErrorBody(error));
  }
}

/** Parses the Blob of an error response to a request for a document. A body that is not JSON becomes null. */
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
  call: AxiosRequestConfig & { url: string },
  decoder: Decoder<T>,
): Promise<T> {
  try {
    const { data, status } = await request<unknown>(call);
    if (isFailure(data)) throw errorIn(data, { status });
    try {
      return decoder(data, call.url);
    } catch (cause) {
      throw errorIn(data, { status, cause, isMalformed: true });
    }
  } catch (error) {
    throw failureOf(error);
  }
}

/** Sends a request with the XSRF token and the organisation of the page. */
function request<T>(call: AxiosRequestConfig): Promise<AxiosResponse<T>> {
  const token = xsrfToken();
  return http.request<T>({
    ...call,
    headers: {
      ...(token && { 'X-XSRF-TOKEN': decode(token) }),
      ...(organisationId && { 'X-Organisation-Id': organisationId }),
    },
  });
}

/** Decodes the value of a cookie; returns it unchanged if it is not encoded correctly. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Converts a failure to an ApiError. The response to a call with a wrong token sets the right one as a cookie, so the browser
 * blocks cookies if the page has no token then.
 */
function failureOf(failure: unknown): ApiError {
  const error = toApiError(failure);
  return error.name === 'ERRXSRF' && xsrfToken() === '' ? cookiesError() : error;
}

/** Returns the query of a call with the debug parameter, if debug is on. */
export function debugQuery(debug: boolean): Query {
  return debug ? { debug: 'true' } : {};
}
