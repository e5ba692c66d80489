import { useSessionStore, xsrfToken } from './session-store';

/** Channel on which a tab announces that it fetched the identity. */
const channelName = 'diy-session';

/**
 * Fetches the identity again when the session has changed in another tab: when that tab announces it, or
 * when the user returns to this one. Returns a function that stops it.
 */
export function watchSession(): () => void {
  const channel = new BroadcastChannel(channelName);
  const targets = [
    [document, 'visibilitychange'],
    [window, 'focus'],
    [channel, 'message'],
  ] as const;
  for (const [target, event] of targets) target.addEventListener(event, refreshIfChanged);
  const unsubscribe = useSessionStore.subscribe(({ session }, before) => {
    if (session !== before.session) channel.postMessage(session.status);
  });
  return () => {
    unsubscribe();
    for (const [target, event] of targets) target.removeEventListener(event, refreshIfChanged);
    channel.close();
  };
}

/** The XSRF cookie is shared by all tabs and changes with the session. */
function refreshIfChanged(): void {
  const { session, token, refresh } = useSessionStore.getState();
  if (session.status !== 'loading' && xsrfToken() !== token) void refresh();
}
