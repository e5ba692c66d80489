import { ApiError } from '@/api';
import { useSessionStore } from './session-store';

/**
 * Asks again who is there when a call failed because nobody is signed in any more, in another tab
 * perhaps: the screen then sends its visitor where visitors belong. Any other failure says nothing
 * about the session.
 */
export function noticeEnd(error: unknown): void {
  if (error instanceof ApiError && error.sessionOver) void useSessionStore.getState().refresh();
}
