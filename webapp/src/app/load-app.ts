import { useConfigStore } from '@/modules/config/config-store';
import { loadBeforeSession, useSessionStore } from '@/modules/session/session-store';
import { watchSession } from '@/modules/session/watch-session';
import { loadBanners } from './banner-loader';

/**
 * Loads the configuration and the session, and fetches the session again when it changes in another tab. The requests start
 * before the first render, so that slow phones render during the requests. Returns a function that stops watching the
 * session.
 */
export function loadApp(): () => void {
  // Watching starts first, so that it announces the first session to other tabs.
  const stopWatching = watchSession();
  loadBeforeSession(loadBanners); // a banner that appears later would shift the layout
  const { refresh, setInitialToken } = useSessionStore.getState();
  void Promise.all([useConfigStore.getState().load(), refresh()]).then(setInitialToken);
  return stopWatching;
}
