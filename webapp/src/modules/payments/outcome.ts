import type { NextAction, Subscription } from '@/api';
import { isPaidOrOnTrial } from '@/modules/billing/license';
import { withInstructions } from '@/modules/config/capabilities';
import { failed, type PaymentResult } from './payment-types';

/** The result of a payment call, decided by the server. */
export type Outcome = NonNullable<Subscription['outcome']>;

/** The next step after the response to a payment. */
export interface Step {
  outcome: Outcome;
  /** The client secret with which the browser confirms the payment or card; empty without one. */
  secret: string;
  /** Whether the payment has no payment method yet, so that the confirmation must contain one. */
  needsMethod: boolean;
  /** As the server reports it. */
  next: NextAction | null;
}

/**
 * Returns the outcome and next action that the server reports. A back end that follows only the
 * specification reports neither; then they follow from the status of the subscription and of
 * `payment_intent`, and from `retry`: whether an earlier card was declined for the same invoice.
 */
export function stepOf(subscription: Subscription, retry: boolean): Step {
  const { outcome, next = null, status, latest_invoice } = subscription;
  if (outcome) {
    const needsMethod = next?.kind === 'new_payment_method';
    return { outcome, secret: next?.secret ?? '', needsMethod, next };
  }
  const intent = latest_invoice?.payment_intent;
  return {
    outcome: isPaidOrOnTrial(status) ? 'succeeded' : specifiedOutcome(intent?.status, retry),
    secret: intent?.client_secret ?? '',
    needsMethod: intent?.status === 'requires_payment_method',
    next,
  };
}

function specifiedOutcome(intent: string | undefined, retry: boolean): Outcome {
  switch (intent) {
    case 'succeeded':
    case 'processing':
      return intent;
    case 'requires_action':
      return 'confirm_payment';
    case 'requires_payment_method':
      return retry ? 'confirm_payment' : 'card_declined';
    default:
      return 'failed';
  }
}

/** The result of a payment that succeeded or is processing, with the payment instructions, if any. */
export function success({ outcome, next }: Step): PaymentResult {
  const kind = outcome === 'succeeded' ? outcome : 'processing';
  const instructions = withInstructions(next);
  if (instructions) return { kind, next: instructions };
  return kind === 'processing' && next?.reason ? { kind, reason: next.reason } : { kind };
}

/** The result of a payment that continues on the provider's page. Only http and https URLs are opened. */
export function redirect({ next }: Step): PaymentResult {
  const url = next?.url ?? '';
  return /^https?:\/\//.test(url)
    ? { kind: 'redirect', url }
    : failed('The payment page could not be opened. Please try again later.');
}
