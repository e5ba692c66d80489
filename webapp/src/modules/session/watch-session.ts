import { useSessionStore, xsrfToken } from './session-store';

/** The channel on which a tab announces that it has fetched the identity. */
const channelName = 'diy-session';

/**
 * Fetches the identity again when the session has changed in another tab, as soon as that tab announces it or the user
 * returns to this one. Returns a function that ends this.
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

/** Fetches the identity if the XSRF cookie, which all tabs share, is that of another session. */
function refreshIfChanged(): void {
  const { session, token, refresh } = useSessionStore.getState();
  if (session.status !== 'loading' && xsrfToken() !== token) void refresh();
}
