import { ApiError } from '@/api';
import { messageOf } from '@/lib/failure-message';
import { sessionRenewedMessage } from '@/modules/session/session-store';
import type { CardProvider } from './card-provider/port';
import { confirmPayment, confirmSetup } from './confirm-card';
import { type PaymentStep, redirectResult, successResult } from './outcome';
import { type Failure, newFailure, type PaymentResult } from './payment-types';
import {
  forgetUnknownOutcome,
  hasUnknownOutcome,
  payingUserId,
  rememberUnknownOutcome,
} from './unknown-outcome';

/** The specification's message for a declined payment. */
export const declinedMessage = 'Your card was declined.';

/** The parts of a payment that differ between a subscription, a plan change, an open payment and an overdue invoice. */
interface PaymentStrategy<Result extends PaymentResult> {
  /** The provider of the page's card field if the card in it is charged; otherwise null. */
  fieldProvider: CardProvider | null;
  /** The message of a failure for which neither server nor provider has one. */
  fallbackMessage: string;
  /** Calls the server and executes the next step of its response. `newCardId` is the card from the field. May reject. */
  send: (newCardId: string | undefined) => Promise<Result>;
  /**
   * Returns the result of a failed payment. `error` comes from `send`; without an error, the card in the field was
   * refused.
   */
  handleFailure: (failure: Failure, error?: unknown) => Result | Promise<Result>;
}

/**
 * Creates a payment method from the card field, if that card is charged, and sends the payment. Stores whether its outcome
 * is unknown. Never rejects.
 */
export async function executePayment<Result extends PaymentResult>(
  strategy: PaymentStrategy<Result>,
): Promise<Result> {
  const userId = payingUserId(); // the session can end during the payment
  const result = await attemptPayment(strategy);
  if (result.kind !== 'failed' || (result.isOutcomeKnown && result.scope === 'payment')) {
    forgetUnknownOutcome();
  } else if (!result.isOutcomeKnown) {
    rememberUnknownOutcome(userId);
  }
  return result;
}

async function attemptPayment<Result extends PaymentResult>({
  fieldProvider,
  fallbackMessage,
  send,
  handleFailure,
}: PaymentStrategy<Result>): Promise<Result> {
  try {
    if (!fieldProvider) return await send(undefined);
    const result = await fieldProvider.createPaymentMethod();
    if (result.ok) return await send(result.paymentMethodId);
    return await handleFailure({ ...newFailure(result.message), scope: 'card' });
  } catch (error) {
    return handleFailure(failureOf(error, fallbackMessage), error);
  }
}

/**
 * Whether the server has refused a call with a message, so that the call certainly had no effect. An earlier attempt that
 * is still in progress, for example after a timeout, can have one.
 */
export const isRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.hasServerMessage &&
  error.status < 500 &&
  !error.isMalformed &&
  !error.inProgress;

function failureOf(error: unknown, fallbackMessage: string): Failure {
  // The refusal says nothing about an earlier attempt, which may have charged the customer.
  const isEarlierUnknown = hasUnknownOutcome() && !isDecided(error);
  const earlier = isEarlierUnknown && {
    isOutcomeKnown: false,
    isEarlierOutcomeUnknown: true as const,
  };
  if (error instanceof ApiError && error.sessionOver) {
    return { ...newFailure(sessionRenewedMessage), sessionOver: true, ...earlier };
  }
  const failure = newFailure(messageOf(error, fallbackMessage));
  return isRefused(error) ? { ...failure, ...earlier } : { ...failure, isOutcomeKnown: false };
}

/**
 * Whether the refusal proves that earlier payments are decided: the server completes them before it answers 402 or 409, but
 * not before other refusals, such as that of a rate limit.
 */
const isDecided = (error: unknown): boolean =>
  isRefused(error) && (error.status === 402 || error.status === 409);

interface StepOptions {
  fallbackMessage: string;
  /** The id of the card for a payment without a payment method. */
  cardId?: string;
}

/** Executes the next step of the response to a payment, such as the confirmation in the browser. */
export async function executeStep(
  step: PaymentStep,
  cardProvider: CardProvider,
  { fallbackMessage, cardId }: StepOptions,
): Promise<PaymentResult> {
  switch (step.outcome) {
    case 'succeeded':
    case 'processing':
      return successResult(step);
    case 'redirect':
      return redirectResult(step);
    case 'confirm_payment':
      return confirmPayment(cardProvider, step, cardId);
    case 'confirm_setup':
      return confirmSetup(cardProvider, step.secret);
    case 'card_declined':
      return newFailure(declinedMessage);
    case 'failed':
      return newFailure(fallbackMessage);
  }
}
