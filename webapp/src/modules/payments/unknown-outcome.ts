import { readItem, removeItem, writeItem } from '@/lib/storage';
import { useSessionStore } from '@/modules/session/session-store';

/**
 * The key under which session storage keeps the id of the user whose payment has an unknown outcome, across screens and
 * reloads. Another user can sign in in the same tab.
 */
const storageKey = 'unknownPaymentOutcome';

/** Returns the id of the signed-in user, or '' without one. */
export function payingUserId(): string {
  const { session } = useSessionStore.getState();
  return session.status === 'signedIn' ? session.user.id : '';
}

/** Stores that a payment of the user has an unknown outcome, for example because the response was lost. */
export const rememberUnknownOutcome = (userId: string): void =>
  writeItem('sessionStorage', storageKey, userId);

/**
 * Whether a payment of the user has an unknown outcome. No screen may then say that nothing was charged. While the user is
 * unknown, for example because the session is loading, any user's payment counts.
 */
export function hasUnknownOutcome(): boolean {
  const storedId = readItem('sessionStorage', storageKey);
  const userId = payingUserId();
  return storedId !== null && (userId === '' || storedId === userId);
}

/** Removes the mark, after the server has reported the result of a payment. */
export const forgetUnknownOutcome = (): void => removeItem('sessionStorage', storageKey);
