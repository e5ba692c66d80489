import { payOpenPayment, type Subscription } from '@/api';
import { authenticateNewCard } from './authenticate-new-card';
import type { CardProvider } from './card-provider/port';
import { confirmSetup } from './confirm-card';
import { redirectResult, stepOf } from './outcome';
import { newFailure, type PaymentResult } from './payment-types';

/**
 * Authenticates the card of a trial that has started. `cardId` becomes the default card first. Each call requests a new
 * secret, because most providers end an authentication that has failed. Rejects if the server refuses the card or does not
 * answer.
 */
export async function authenticateTrialCard(
  cardId: string | undefined,
  cardProvider: CardProvider,
): Promise<PaymentResult> {
  let subscription: Subscription;
  try {
    subscription = await payOpenPayment({ setup: true, paymentMethodId: cardId });
  } catch (error) {
    if (!cardId) throw error;
    const result = await authenticateNewCard(error, cardId, cardProvider);
    return result.kind === 'saved' ? { kind: 'succeeded' } : result;
  }
  const step = stepOf(subscription, false);
  switch (step.next?.kind) {
    case undefined:
      return { kind: 'succeeded' };
    case 'wait':
      return { kind: 'processing' };
    case 'redirect':
      return redirectResult(step);
  }
  const result = await confirmSetup(
    cardProvider,
    step.secret,
    step.needsMethod ? cardId : undefined,
  );
  return result.kind === 'failed' ? newFailure(result.message) : result;
}
