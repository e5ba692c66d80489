import { routes } from '@/lib/paths';

const screenPaths = new Set<string>(Object.values(routes));
/** The base for parsing relative URLs. */
const placeholderOrigin = 'http://here.invalid';

/** Whether the navigation state contains a URL to return to. */
export function hasRedirect(state: unknown): state is { redirectTo: string } {
  return (
    typeof state === 'object' &&
    state !== null &&
    'redirectTo' in state &&
    typeof state.redirectTo === 'string'
  );
}

/**
 * Returns the path and query to return to, or null if there are none, or if they do not belong to a screen of this app.
 * The navigation state can be forged and must not redirect to another site.
 */
export function redirectOf(state: unknown): string | null {
  if (!hasRedirect(state)) return null;
  const url = parseURL(state.redirectTo);
  if (url?.origin !== placeholderOrigin || !screenPaths.has(url.pathname)) return null;
  return url.pathname + url.search;
}

function parseURL(text: string): URL | null {
  try {
    return new URL(text, placeholderOrigin);
  } catch {
    return null;
  }
}
