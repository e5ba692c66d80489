import type { CardProvider } from './card-provider/port';
import type { PaymentStep } from './outcome';
import { type ConfirmationResult, newFailure } from './payment-types';

const notAuthenticatedMessage = 'Your card could not be authenticated.';

/**
 * Confirms a payment, with the given card if the payment has no payment method yet. A provider that can't confirm a declined
 * payment with another card reports no secret for it. The result is then the decline.
 */
export async function confirmPayment(
  cardProvider: CardProvider,
  { secret, needsMethod, next }: Pick<PaymentStep, 'secret' | 'needsMethod'> & Partial<PaymentStep>,
  cardId?: string,
): Promise<ConfirmationResult> {
  if (!secret) return newFailure((needsMethod && next?.reason) || notAuthenticatedMessage);
  const result = await cardProvider.confirmPayment(secret, needsMethod ? cardId : undefined);
  if (result.ok && (result.status === 'succeeded' || result.status === 'processing')) {
    return { kind: result.status };
  }
  const failure = newFailure(result.ok ? notAuthenticatedMessage : result.message);
  return needsMethod ? failure : { ...failure, unauthenticated: true };
}

/**
 * Authenticates a card for later payments. The subscription exists already, so the next attempt only authenticates a card.
 */
export async function confirmSetup(
  cardProvider: CardProvider,
  secret: string,
  cardId?: string,
): Promise<ConfirmationResult> {
  if (!secret) return newFailure(notAuthenticatedMessage);
  const result = await cardProvider.confirmSetup(secret, cardId);
  if (result.ok && ['succeeded', 'processing'].includes(result.status)) {
    return { kind: 'succeeded' };
  }
  const message = result.ok ? notAuthenticatedMessage : result.message;
  return { ...newFailure(message), pendingSetup: true };
}
