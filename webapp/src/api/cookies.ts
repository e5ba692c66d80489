import { ApiError } from './api-error';

/**
 * Returns the page's XSRF token; empty if there is none, or if the browser blocks cookies. Each session has a different
 * token, so a new token means a new session.
 */
export function xsrfToken(): string {
  try {
    return /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? '';
  } catch {
    return ''; // the page is in a frame without access to cookies
  }
}

/** What to do when the browser blocks cookies. */
export const cookiesAdvice =
  'Cookies are needed to sign in and to send forms. Allow cookies for this website in your browser’s settings, then reload the page. If you see it inside another website, open it in a tab of its own.';

/** Whether the browser reports that it blocks cookies. Not all browsers report it. */
export const blocksCookies = (): boolean => navigator.cookieEnabled === false;

/**
 * Returns the error for a call that failed because the browser did not send the cookies of the last response. It is no error
 * of the session, because a new session would not help.
 */
export const cookiesError = (): ApiError =>
  new ApiError('ERRCOOKIES', `Your browser blocks cookies. ${cookiesAdvice}`, {
    status: 403,
    hasServerMessage: true, // screens show it instead of a general message
  });
