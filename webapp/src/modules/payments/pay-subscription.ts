import { ApiError, openInvoiceIn, priceQuoteIn, type Subscription } from '@/api';
import { authenticateTrialCard } from './authenticate-trial-card';
import { executePayment, executeStep, isRefused } from './execute-payment';
import { declinedInvoiceId, forgetInvoice, isRetry, rememberInvoice } from './latest-invoice';
import { stepOf } from './outcome';
import type { Failure, Payment, PaymentResult, Ports } from './payment-types';

/** The specification's message for a retry that fails. The failure's `reason` contains the cause. */
const retryLaterMessage = 'retry payment later';

/** Starts or changes a subscription and pays for it. Never rejects. */
export async function paySubscription(payment: Payment, ports: Ports): Promise<PaymentResult> {
  const { card, fallbackMessage, pendingSetup, defaultCardId } = payment;
  const result = await executePayment<PaymentResult>({
    fieldProvider: card === 'field' ? ports.cardProvider : null,
    fallbackMessage,
    send: (newCardId) =>
      pendingSetup
        ? authenticateTrialCard(newCardId ?? defaultCardId, ports.cardProvider)
        : subscribe(newCardId, payment, ports),
    handleFailure: (failure, error) => resolveFailure(failure, error, payment),
  });
  if (result.kind === 'succeeded') forgetInvoice();
  return result.kind === 'failed' && pendingSetup ? { ...result, pendingSetup } : result;
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
 * Returns the result of a call that failed. The payment succeeded nevertheless if only the response was lost, or if
 * another tab made the same change or authenticated the card of the trial first.
 */
async function resolveFailure(
  failure: Failure,
  error: unknown,
  { pendingSetup, isDone }: Payment,
): Promise<PaymentResult> {
  if (failure.scope === 'card') return failure;
  if (pendingSetup) return isNothingOpen(error) ? { kind: 'succeeded' } : failure;
  const mayHaveSucceeded =
    !failure.isOutcomeKnown || (isRefused(error) && error.name === 'ERRCONFLICT');
  if (mayHaveSucceeded && (await isDone().catch(() => false))) {
    return { kind: 'succeeded' };
  }
  const priceQuote =
    error instanceof ApiError && !failure.sessionOver ? priceQuoteIn(error) : undefined;
  return { ...failure, ...(priceQuote && { priceQuote }) };
}

/** Whether the server reports that no payment and no authentication is open any more. */
const isNothingOpen = (error: unknown): boolean =>
  isRefused(error) && error.name === 'ERRQUOTE' && openInvoiceIn(error) === null;
