import {
  ApiError,
  type OpenPayment,
  openQuoteIn,
  payOpenPayment,
  type Quote,
  type Subscription,
} from '@/api';
import { messageOf } from '@/lib/failure-message';
import { sessionRenewed } from '@/modules/session/session-store';
import type { CardProvider } from './card-provider/port';
import { confirmPayment, confirmSetup } from './confirm-card';
import { redirect, stepOf, success } from './outcome';
import { type Failure, failed, type Redirect, type Success } from './payment-types';

/** The payment method: a saved card, or the one in the page's card field. */
export interface PaymentChoice {
  /** A saved card's id; null for the card field. */
  savedCard: string | null;
  /** Whether the card becomes the default one. */
  makeDefault: boolean;
}

/** A failed attempt. */
interface OpenPaymentFailure extends Failure {
  /** The current open payment, if it differs from the requested one. */
  quote?: Quote;
  /** Whether the server reported that nothing is open, and that the requested invoice was not paid. */
  nothingOpen?: boolean;
}

/** The result of an attempt. */
export type OpenPaymentResult = Success | Redirect | OpenPaymentFailure;

/** Message of a declined payment; `OpenPayment.reason` has the reason. */
export const declined = 'Your card was declined.';

const genericFailure = 'The payment could not be made. Please try again later.';

/**
 * Pays the open payment: creates the payment method of a new card, calls the server, and confirms the
 * payment in the browser if the bank requires it. Never rejects.
 */
export async function payOpen(
  open: OpenPayment,
  { savedCard, makeDefault }: PaymentChoice,
  cards: CardProvider,
): Promise<OpenPaymentResult> {
  try {
    let card = savedCard ?? undefined;
    if (!card && cards.Field) {
      const created = await cards.createPaymentMethod();
      if (!created.ok) return { ...failed(created.message), scope: 'card' };
      card = created.paymentMethodId;
    }
    if (open.kind === 'authentication') {
      const subscription = await payOpenPayment({ setup: true, paymentMethodId: card });
      return await authenticate(subscription, card, cards);
    }
    const { invoiceId, amount } = open;
    const request = { invoiceId, amount, paymentMethodId: card, makeDefault };
    return await settle(await payOpenPayment(request), cards);
  } catch (error) {
    return failureOf(error);
  }
}

/** Continues the authentication of the card with the next action; the trial has started already. */
async function authenticate(
  subscription: Subscription,
  card: string | undefined,
  cards: CardProvider,
): Promise<OpenPaymentResult> {
  const { next, secret, needsMethod } = stepOf(subscription, false);
  if (!next) return { kind: 'succeeded' };
  if (next.kind === 'wait') return { kind: 'processing' };
  if (!secret) return failed('Your card could not be authenticated.');
  const result = await confirmSetup(cards, secret, needsMethod ? card : undefined);
  return result.kind === 'failed' ? failed(result.message) : result;
}

async function settle(subscription: Subscription, cards: CardProvider): Promise<OpenPaymentResult> {
  const step = stepOf(subscription, false);
  switch (step.outcome) {
    case 'succeeded':
    case 'processing':
      return success(step);
    case 'redirect':
      return redirect(step);
    case 'confirm_payment':
      return confirmPayment(cards, step);
    case 'confirm_setup':
      return confirmSetup(cards, step.secret);
    case 'card_declined':
      return failed(declined);
    case 'failed':
      return failed(genericFailure);
  }
}

function failureOf(error: unknown): OpenPaymentResult {
  const apiError = error instanceof ApiError ? error : null;
  if (apiError?.sessionOver) return { ...failed(sessionRenewed), sessionOver: true };
  const message = messageOf(error, genericFailure);
  const certain = Boolean(apiError?.hasServerMessage && apiError.status < 500);
  if (apiError?.name !== 'ERRQUOTE') return { ...failed(message), certain };
  const quote = openQuoteIn(apiError);
  return { ...failed(message), certain, ...(quote ? { quote } : { nothingOpen: true }) };
}
