import { useSessionStore } from './session-store';
import { xsrfToken } from './xsrf-token';

/**
 * Asks again who is there when somebody comes back to this tab after signing in or out in another
 * one: nobody shall decide for an organisation whose name is not on the screen. Returns how to stop.
 */
export function watchSession(): () => void {
  const events = [
    [document, 'visibilitychange'],
    [window, 'focus'],
  ] as const;
  for (const [target, event] of events) target.addEventListener(event, look);
  return () => {
    for (const [target, event] of events) target.removeEventListener(event, look);
  };
}

function look(): void {
  const { session, token, refresh } = useSessionStore.getState();
  if (session.status !== 'loading' && xsrfToken() !== token) void refresh();
}
