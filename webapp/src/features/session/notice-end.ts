import { ApiError } from '@/api';
import { useSessionStore } from './session-store';

/** What a screen says about a call that failed because the session ended, once it is renewed. */
export const sessionRenewed = 'Your session was renewed. Please try again.';

/**
 * Fetches the identity again when a call failed because the session is over; `SignedIn` then asks
 * to sign in again. Returns whether it was over. Never rejects.
 */
export async function noticeEnd(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError && error.sessionOver)) return false;
  await useSessionStore.getState().refresh();
  return true;
}
