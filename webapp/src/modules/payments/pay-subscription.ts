import { ApiError, priceQuoteIn, type Subscription } from '@/api';
import { confirmSetup } from './confirm-card';
import { executePayment, executeStep, isRefused } from './execute-payment';
import { declinedInvoiceId, forgetInvoice, isRetry, rememberInvoice } from './latest-invoice';
import { stepOf } from './outcome';
import type { Failure, Payment, PaymentResult, Ports } from './payment-types';

/** The specification's message for a retry that fails. The failure's `reason` contains the cause. */
const retryLaterMessage = 'retry payment later';

/** Starts or changes a subscription and pays for it. Never rejects. */
export async function paySubscription(payment: Payment, ports: Ports): Promise<PaymentResult> {
  const { card, fallbackMessage, pendingSetup } = payment;
  const result = await executePayment<PaymentResult>({
    fieldProvider: card === 'field' ? ports.cardProvider : null,
    fallbackMessage,
    send: (newCardId) =>
      pendingSetup
        ? authenticateAgain(pendingSetup, newCardId, payment, ports)
        : subscribe(newCardId, payment, ports),
    handleFailure: (failure, error) => resolveFailure(failure, error, payment),
  });
  if (result.kind === 'succeeded') forgetInvoice();
  return result;
}

async function subscribe(
  newCardId: string | undefined,
  payment: Payment,
  { cardProvider }: Ports,
): Promise<PaymentResult> {
  const retryInvoiceId = payment.retriesInvoice ? declinedInvoiceId() : undefined;
  const subscription = await payment.call({ paymentMethodId: newCardId, retryInvoiceId });
  const result = await handleResponse(subscription, newCardId, payment, cardProvider);
  const { charged_differs: chargeDifference } = subscription;
  const isAccepted = result.kind === 'succeeded' || result.kind === 'processing';
  return isAccepted && chargeDifference ? { ...result, chargeDifference } : result;
}

/** Executes the next step of the response. Stores the invoice of a declined card for the next attempt. */
async function handleResponse(
  subscription: Subscription,
  newCardId: string | undefined,
  { fallbackMessage, defaultCardId }: Payment,
  cardProvider: Ports['cardProvider'],
): Promise<PaymentResult> {
  const invoice = subscription.latest_invoice;
  const isSecondAttempt = isRetry(invoice);
  const step = stepOf(subscription, isSecondAttempt);
  if (step.outcome === 'card_declined' && invoice) rememberInvoice(invoice);
  const result = await executeStep(step, cardProvider, {
    fallbackMessage: isSecondAttempt ? retryLaterMessage : fallbackMessage,
    cardId: newCardId ?? defaultCardId,
  });
  if (!isSecondAttempt || result.kind !== 'failed' || step.outcome !== 'confirm_payment') {
    return result;
  }
  return { ...result, message: retryLaterMessage, reason: result.message };
}

/**
 * Authenticates the default card or a new card. A new card becomes the default only after its authentication, because
 * the provider ends an open authentication when the default card changes.
 */
async function authenticateAgain(
  secret: string,
  newCardId: string | undefined,
  { defaultCardId }: Payment,
  { cardProvider, saveCard }: Ports,
): Promise<PaymentResult> {
  const result = await confirmSetup(cardProvider, secret, newCardId ?? defaultCardId);
  if (result.kind === 'succeeded' && newCardId) await saveCard(newCardId);
  return result;
}

/**
 * Returns the result of a call that failed. The payment succeeded nevertheless if only the response was lost, or if
 * another tab made the same change first.
 */
async function resolveFailure(
  failure: Failure,
  error: unknown,
  { pendingSetup, isDone }: Payment,
): Promise<PaymentResult> {
  if (failure.scope === 'card') return { ...failure, ...(pendingSetup && { pendingSetup }) };
  const mayHaveSucceeded =
    !failure.isOutcomeKnown || (isRefused(error) && error.name === 'ERRCONFLICT');
  if (mayHaveSucceeded && !pendingSetup && (await isDone().catch(() => false))) {
    return { kind: 'succeeded' };
  }
  const priceQuote =
    error instanceof ApiError && !failure.sessionOver ? priceQuoteIn(error) : undefined;
  return { ...failure, ...(priceQuote && { priceQuote }) };
}
