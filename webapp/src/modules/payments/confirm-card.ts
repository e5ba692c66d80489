import type { CardProvider } from './card-provider/port';
import type { Step } from './outcome';
import { type ConfirmationResult, failed } from './payment-types';

const notAuthenticatedMessage = 'Your card could not be authenticated.';

/** Confirms a payment, with `card` if it has no payment method. */
export async function confirmPayment(
  cards: CardProvider,
  { secret, needsMethod }: Pick<Step, 'secret' | 'needsMethod'>,
  card?: string,
): Promise<ConfirmationResult> {
  if (!secret) return failed(notAuthenticatedMessage);
  const confirmed = await cards.confirmPayment(secret, needsMethod ? card : undefined);
  if (confirmed.ok && (confirmed.status === 'succeeded' || confirmed.status === 'processing')) {
    return { kind: confirmed.status };
  }
  const failure = failed(confirmed.ok ? notAuthenticatedMessage : confirmed.message);
  return needsMethod ? failure : { ...failure, unauthenticated: true };
}

/**
 * Authenticates a card for later payments. The subscription exists already, so the next attempt can use the same
 * secret with another card.
 */
export async function confirmSetup(
  cards: CardProvider,
  secret: string,
  card?: string,
): Promise<ConfirmationResult> {
  if (!secret) return failed(notAuthenticatedMessage);
  const confirmed = await cards.confirmSetup(secret, card);
  if (confirmed.ok && ['succeeded', 'processing'].includes(confirmed.status)) {
    return { kind: 'succeeded' };
  }
  const message = confirmed.ok ? notAuthenticatedMessage : confirmed.message;
  return { ...failed(message), pendingSetup: secret };
}
