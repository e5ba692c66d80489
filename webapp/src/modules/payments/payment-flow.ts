import { ApiError, priceQuoteIn, type Subscription } from '@/api';
import { messageOf } from '@/lib/failure-message';
import { sessionRenewed } from '@/modules/session/session-store';
import { confirmPayment, confirmSetup } from './confirm-card';
import { declinedInvoice, forgetInvoice, isRetry, rememberInvoice } from './latest-invoice';
import { redirect, stepOf, success } from './outcome';
import {
  type Failure,
  failed,
  type Payment,
  type PaymentResult,
  type Ports,
} from './payment-types';

/** The specification's message for a retry that fails; `reason` says why. */
const retryLater = 'retry payment later';

/**
 * Executes a payment: creates the payment method, calls the server, and confirms the card if the
 * outcome requires it. Never rejects.
 */
export async function pay(payment: Payment, ports: Ports): Promise<PaymentResult> {
  try {
    const result = await attempt(payment, ports);
    if (result.kind === 'succeeded') forgetInvoice();
    return result;
  } catch (error) {
    return afterError(error, payment);
  }
}

async function attempt(payment: Payment, ports: Ports): Promise<PaymentResult> {
  let card: string | undefined;
  if (payment.card === 'field') {
    const created = await ports.cards.createPaymentMethod();
    if (!created.ok) return { ...failed(created.message), ...pendingOf(payment), scope: 'card' };
    card = created.paymentMethodId;
  }
  if (payment.pendingSetup) return authenticateAgain(payment.pendingSetup, card, payment, ports);
  const retryInvoiceId = payment.retriesInvoice ? declinedInvoice() : undefined;
  const params = { paymentMethodId: card, retryInvoiceId };
  const subscription = await payment.call(params);
  const result = await settle(subscription, card, payment, ports);
  const { charged_differs: chargeDifference } = subscription;
  const accepted = result.kind === 'succeeded' || result.kind === 'processing';
  return accepted && chargeDifference ? { ...result, chargeDifference } : result;
}

/** Executes the next step of the subscription's outcome. */
async function settle(
  subscription: Subscription,
  card: string | undefined,
  { genericFailure, defaultCard }: Payment,
  { cards }: Ports,
): Promise<PaymentResult> {
  const invoice = subscription.latest_invoice;
  const retry = isRetry(invoice);
  const step = stepOf(subscription, retry);
  switch (step.outcome) {
    case 'succeeded':
    case 'processing':
      return success(step);
    case 'redirect':
      return redirect(step);
    case 'confirm_setup':
      return confirmSetup(cards, step.secret);
    case 'confirm_payment': {
      const result = await confirmPayment(cards, step, card ?? defaultCard);
      return retry && result.kind === 'failed' ? retryFailed(result) : result;
    }
    case 'card_declined':
      if (invoice) rememberInvoice(invoice);
      return failed('Your card was declined.');
    case 'failed':
      return failed(retry ? retryLater : genericFailure);
  }
}

function retryFailed({ message, ...result }: Failure): Failure {
  return { ...result, message: retryLater, reason: message };
}

/**
 * Makes another card the default one after its authentication. Doing it earlier would end the
 * authentication of the old card at the provider.
 */
async function authenticateAgain(
  secret: string,
  card: string | undefined,
  { defaultCard }: Payment,
  { cards, saveCard }: Ports,
): Promise<PaymentResult> {
  const result = await confirmSetup(cards, secret, card ?? defaultCard);
  if (result.kind === 'succeeded' && card) await saveCard(card);
  return result;
}

/**
 * Returns the result of a call that failed. It is a success if the call had its effect nevertheless:
 * because only its response was lost, or another tab made the change first.
 */
async function afterError(error: unknown, payment: Payment): Promise<PaymentResult> {
  const apiError = error instanceof ApiError ? error : null;
  const certain = Boolean(apiError?.hasServerMessage && apiError.status < 500);
  const uncertain = !certain || apiError?.name === 'ERRCONFLICT';
  if (uncertain && !payment.pendingSetup && (await payment.isDone().catch(() => false))) {
    forgetInvoice();
    return { kind: 'succeeded' };
  }
  if (apiError?.sessionOver) return { ...failed(sessionRenewed), sessionOver: true };
  const message = messageOf(error, payment.genericFailure);
  const priceQuote = apiError && priceQuoteIn(apiError);
  return { ...failed(message), certain, ...(priceQuote && { priceQuote }) };
}

function pendingOf({ pendingSetup }: Payment): Pick<Failure, 'pendingSetup'> {
  return pendingSetup ? { pendingSetup } : {};
}
