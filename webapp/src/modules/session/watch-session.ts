import { xsrfToken } from '@/api';
import { openTabChannel } from '@/lib/tab-channel';
import { useSessionStore } from './session-store';

/** The channel on which a tab announces that it has fetched the identity. */
const channelName = 'diy-session';

/**
 * Fetches the identity again when the session has changed in another tab: as soon as that tab announces the change, or
 * the user returns to this tab. Returns a function that stops watching.
 */
export function watchSession(): () => void {
  const channel = openTabChannel(channelName, refreshIfChanged);
  const eventSources = [
    [document, 'visibilitychange'],
    [window, 'focus'],
  ] as const;
  for (const [source, event] of eventSources) source.addEventListener(event, refreshIfChanged);
  const unsubscribe = useSessionStore.subscribe(({ session }, previousState) => {
    if (session !== previousState.session) channel.send(session.status);
  });
  return () => {
    unsubscribe();
    for (const [source, event] of eventSources) source.removeEventListener(event, refreshIfChanged);
    channel.close();
  };
}

/** Fetches the identity if the XSRF cookie, which all tabs share, belongs to another session. */
function refreshIfChanged(): void {
  const { session, token, refresh } = useSessionStore.getState();
  if (session.status !== 'loading' && xsrfToken() !== token) void refresh();
}
