import { type Session, useSessionStore } from './session-store';

/** Pauses between the attempts, in milliseconds. */
const delays = [1000, 2000, 4000];

/**
 * Fetches the identity until `done` accepts it, a few times at most: what was confirmed in the
 * browser reaches the server a moment later. Resolves after the first time when that is enough.
 */
export async function refreshUntil(done: (session: Session) => boolean): Promise<void> {
  await useSessionStore.getState().refresh();
  for (const delay of delays) {
    if (done(useSessionStore.getState().session)) return;
    await new Promise((resolve) => setTimeout(resolve, delay));
    await useSessionStore.getState().refresh();
  }
}
