import { routes } from '@/lib/paths';

const screenPaths = new Set<string>(Object.values(routes));
/** The base for parsing relative URLs. */
const placeholderOrigin = 'http://here.invalid';

/** Whether the navigation state contains an address to return to. */
export function hasRedirect(state: unknown): state is { redirectTo: string } {
  return (
    typeof state === 'object' &&
    state !== null &&
    'redirectTo' in state &&
    typeof state.redirectTo === 'string'
  );
}

/**
 * Returns the address to return to; null if there is none, or if it is not a screen of this app. The
 * navigation state can be forged and must not redirect to another site.
 */
export function redirectOf(state: unknown): string | null {
  if (!hasRedirect(state)) return null;
  const url = parseURL(state.redirectTo);
  if (url?.origin !== placeholderOrigin || !screenPaths.has(url.pathname)) return null;
  return url.pathname + url.search;
}

function parseURL(address: string): URL | null {
  try {
    return new URL(address, placeholderOrigin);
  } catch {
    return null;
  }
}
