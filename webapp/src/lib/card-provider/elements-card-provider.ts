import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import type { CardProvider, ConfirmResult, IntentStatus } from './port';

const noAnswer = 'The payment provider could not be reached. Please try again.';
const noField = 'The card field is not ready yet. Please try again.';

/**
 * The card provider behind Stripe's interface. The fake provider brings a hand-made object with
 * the same functions, so there is one way through this code for both.
 */
export function elementsCardProvider(stripe: Stripe, elements: StripeElements): CardProvider {
  return {
    async createPaymentMethod() {
      const card = elements.getElement('card');
      if (!card) return failed(noField);
      const answer = await guarded(() => stripe.createPaymentMethod({ type: 'card', card }));
      if (answer.error) return failed(answer.error.message);
      return { ok: true, paymentMethodId: answer.paymentMethod.id };
    },
    async confirmPayment(clientSecret, paymentMethodId) {
      const data = withCard(paymentMethodId);
      const answer = await guarded(() => stripe.confirmCardPayment(clientSecret, data));
      return confirmed(answer.error, answer.paymentIntent?.status);
    },
    async confirmSetup(clientSecret, paymentMethodId) {
      const data = withCard(paymentMethodId);
      const answer = await guarded(() => stripe.confirmCardSetup(clientSecret, data));
      return confirmed(answer.error, answer.setupIntent?.status);
    },
  };
}

function withCard(paymentMethodId?: string) {
  return paymentMethodId ? { payment_method: paymentMethodId } : undefined;
}

/** Converts an exception into an error result; Stripe normally returns errors. */
async function guarded<T>(call: () => Promise<T>) {
  try {
    return await call();
  } catch {
    const error: Pick<StripeError, 'message'> = { message: noAnswer };
    return { error, paymentMethod: undefined, paymentIntent: undefined, setupIntent: undefined };
  }
}

function confirmed(error?: Pick<StripeError, 'message'>, status?: IntentStatus): ConfirmResult {
  return status && !error ? { ok: true, status } : failed(error?.message);
}

function failed(message = noAnswer): { ok: false; message: string } {
  return { ok: false, message };
}
