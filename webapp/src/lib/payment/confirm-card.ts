import type { Intent } from '@/api';
import type { CardProvider } from '@/lib/card-provider/port';
import { failed, type PaymentEnd } from './payment-types';

const notAuthenticated = 'Your card could not be authenticated.';

/** Confirms a payment. One without a payment method gets `card`; any other keeps the one it has. */
export async function confirmPayment(
  cards: CardProvider,
  intent: Intent | null | undefined,
  card?: string,
): Promise<PaymentEnd> {
  if (!intent?.client_secret) return failed(notAuthenticated);
  const another = intent.status === 'requires_payment_method' ? card : undefined;
  const confirmed = await cards.confirmPayment(intent.client_secret, another);
  if (confirmed.ok && (confirmed.status === 'succeeded' || confirmed.status === 'processing')) {
    return { kind: confirmed.status };
  }
  const failure = failed(confirmed.ok ? notAuthenticated : confirmed.message);
  return intent.status === 'requires_payment_method'
    ? failure
    : { ...failure, unauthenticated: true };
}

/**
 * Authenticates a card for later payments. The subscription exists already, so a failure can be
 * repeated with the same secret and another card.
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
