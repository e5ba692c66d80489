import type { Intent } from '@/api';
import type { CardProvider } from '@/card-provider';
import { failed, type PaymentEnd } from './payment-types';

const notAuthenticated = 'Your card could not be authenticated. Please try again.';

/** Confirms a payment. One that lacks a card gets the new one; any other keeps the card it has. */
export async function confirmPayment(
  cards: CardProvider,
  intent: Intent | null | undefined,
  card?: string,
): Promise<PaymentEnd> {
  if (!intent?.client_secret) return failed(notAuthenticated);
  const another = intent.status === 'requires_payment_method' ? card : undefined;
  const confirmed = await cards.confirmPayment(intent.client_secret, another);
  if (!confirmed.ok) return failed(confirmed.message);
  const { status } = confirmed;
  if (status === 'succeeded' || status === 'processing') return { kind: status };
  return failed(notAuthenticated);
}

/**
 * Confirms a card for later payments. The subscription runs already; what is missing is the word
 * of the card's owner, so a failure can be made good with the same secret and another card.
 */
export async function confirmSetup(
  cards: CardProvider,
  secret: string,
  card?: string,
): Promise<PaymentEnd> {
  const confirmed = await cards.confirmSetup(secret, card);
  if (confirmed.ok && ['succeeded', 'processing'].includes(confirmed.status)) {
    return { kind: 'succeeded' };
  }
  const message = confirmed.ok ? notAuthenticated : confirmed.message;
  return { ...failed(message), pendingSetup: secret };
}
