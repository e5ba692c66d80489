import { useConfigStore } from '@/modules/config/config-store';
import { useSessionStore } from '@/modules/session/session-store';
import { watchSession } from '@/modules/session/watch-session';

/**
 * Loads the configuration and the session, and fetches the session again when it changes in another tab. Call it before
 * the first render, so that the responses are on their way while a slow phone renders. Returns a function that stops
 * watching the session.
 */
export function loadApp(): () => void {
  // Before the session is fetched, so that other tabs learn of a first response that changes it.
  const stopWatching = watchSession();
  const { refresh, acceptFirstToken } = useSessionStore.getState();
  void Promise.all([useConfigStore.getState().load(), refresh()]).then(acceptFirstToken);
  return stopWatching;
}
