import { ApiError } from '@/api';
import { messageOf } from '@/lib/failure-message';
import { sessionRenewedMessage } from '@/modules/session/session-store';
import type { CardProvider } from './card-provider/port';
import { confirmPayment, confirmSetup } from './confirm-card';
import { redirect, type Step, success } from './outcome';
import { type Failure, failed, type PaymentResult } from './payment-types';

/** Message of a declined payment. */
export const declinedMessage = 'Your card was declined.';

/** What differs between payments: of a subscription, a plan change, what is open, or an overdue bill. */
export interface PaymentStrategy<Result> {
  /** The provider of the page's card field if the card in it pays; null otherwise. */
  field: CardProvider | null;
  /** The message of a failure that has none. */
  genericFailure: string;
  /** Calls the server and settles its response; `card` was created from the field. May reject. */
  send: (card: string | undefined) => Promise<Result>;
  /** Returns the result for a failure of `send`, or of the card field (without `error`). */
  afterFailure: (failure: Failure, error?: unknown) => Result | Promise<Result>;
}

/** Executes a payment: creates the payment method of a new card and sends it. Never rejects. */
export async function execute<Result>({
  field,
  genericFailure,
  send,
  afterFailure,
}: PaymentStrategy<Result>): Promise<Result> {
  try {
    if (!field) return await send(undefined);
    const created = await field.createPaymentMethod();
    if (created.ok) return await send(created.paymentMethodId);
    return await afterFailure({ ...failed(created.message), scope: 'card' });
  } catch (error) {
    return afterFailure(failureOf(error, genericFailure), error);
  }
}

/** Whether the server has certainly refused a call, so that it had no effect. */
export const isRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.hasServerMessage && error.status < 500;

function failureOf(error: unknown, genericFailure: string): Failure {
  if (error instanceof ApiError && error.sessionOver) {
    return { ...failed(sessionRenewedMessage), sessionOver: true };
  }
  return { ...failed(messageOf(error, genericFailure)), certain: isRefused(error) };
}

interface SettleOptions {
  genericFailure: string;
  /** The card for a payment without a payment method. */
  card?: string;
}

/** Executes the next step after the response to a payment, such as its confirmation in the browser. */
export async function settle(
  step: Step,
  cards: CardProvider,
  { genericFailure, card }: SettleOptions,
): Promise<PaymentResult> {
  switch (step.outcome) {
    case 'succeeded':
    case 'processing':
      return success(step);
    case 'redirect':
      return redirect(step);
    case 'confirm_payment':
      return confirmPayment(cards, step, card);
    case 'confirm_setup':
      return confirmSetup(cards, step.secret);
    case 'card_declined':
      return failed(declinedMessage);
    case 'failed':
      return failed(genericFailure);
  }
}
