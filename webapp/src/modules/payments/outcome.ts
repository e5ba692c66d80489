import type { NextAction, Subscription } from '@/api';
import { isPaidOrOnTrial } from '@/modules/billing/license';
import { actionWithInstructions } from '@/modules/config/capabilities';
import { type Failure, newFailure, type PaymentResult, type Redirect } from './payment-types';

/** The outcome of a payment call, which the server decides. */
type Outcome = NonNullable<Subscription['outcome']>;

/** The next step of a payment, from the response to its call. */
export interface PaymentStep {
  outcome: Outcome;
  /** The client secret with which the browser confirms the payment or card; empty without one. */
  secret: string;
  /** Whether the payment has no payment method yet, so that the confirmation must contain one. */
  needsMethod: boolean;
  /** The next action that the server reports. */
  next: NextAction | null;
}

/**
 * Returns the outcome and next action that the server reports. A back end that follows only the specification reports
 * neither. Without them, the status of the subscription and of `payment_intent` determines the outcome. `isRetry` is
 * whether an earlier card was declined for the same invoice.
 */
export function stepOf(subscription: Subscription, isRetry: boolean): PaymentStep {
  const { outcome, next = null, status, latest_invoice } = subscription;
  if (outcome) {
    const needsMethod = next?.kind === 'new_payment_method';
    return { outcome, secret: next?.secret ?? '', needsMethod, next };
  }
  const intent = latest_invoice?.payment_intent;
  return {
    outcome: isPaidOrOnTrial(status) ? 'succeeded' : specifiedOutcome(intent?.status, isRetry),
    secret: intent?.client_secret ?? '',
    needsMethod: intent?.status === 'requires_payment_method',
    next,
  };
}

/** Returns the outcome for a status of `payment_intent`, as the specification defines it. */
function specifiedOutcome(status: string | undefined, isRetry: boolean): Outcome {
  switch (status) {
    case 'succeeded':
    case 'processing':
      return status;
    case 'requires_action':
      return 'confirm_payment';
    case 'requires_payment_method':
      return isRetry ? 'confirm_payment' : 'card_declined';
    default:
      return 'failed';
  }
}

/** Returns the result of a payment that succeeded or is processing, with the payment instructions, if any. */
export function successResult({ outcome, next }: PaymentStep): PaymentResult {
  const kind = outcome === 'succeeded' ? outcome : 'processing';
  const action = actionWithInstructions(next);
  if (action) return { kind, next: action };
  return kind === 'processing' && next?.reason ? { kind, reason: next.reason } : { kind };
}

/** Returns the result of a payment that continues on the provider's page. Only http and https URLs are opened. */
export function redirectResult({ next }: Pick<PaymentStep, 'next'>): Redirect | Failure {
  const url = next?.url ?? '';
  return /^https?:\/\//.test(url)
    ? { kind: 'redirect', url }
    : newFailure('The payment page could not be opened. Please try again later.');
}
