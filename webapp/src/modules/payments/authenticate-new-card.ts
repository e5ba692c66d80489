import { ApiError, addCard, cardAuthenticationIn } from '@/api';
import type { CardProvider } from './card-provider/port';
import { confirmSetup } from './confirm-card';
import { redirectResult } from './outcome';
import { type Failure, newFailure, type Redirect } from './payment-types';

/** The result of authenticating a new card: the saved card with the payment of an overdue invoice, a page, or a failure. */
export type AuthenticatedCard =
  | ({ kind: 'saved' } & Awaited<ReturnType<typeof addCard>>)
  | Redirect
  | Failure;

/**
 * Authenticates and saves a new card, if `error` reports that the card needs an authentication first. Throws any other
 * error. If the bank has a page for the authentication, returns its URL; the card is saved when the customer completes the page.
 */
export async function authenticateNewCard(
  error: unknown,
  cardId: string,
  cardProvider: CardProvider,
): Promise<AuthenticatedCard> {
  const next = error instanceof ApiError ? cardAuthenticationIn(error) : null;
  if (!next) throw error;
  if (next.kind === 'redirect') return redirectResult({ next });
  const result = await confirmSetup(cardProvider, next.secret ?? '');
  if (result.kind === 'failed') return newFailure(result.message);
  return { kind: 'saved', ...(await addCard(cardId)) };
}
