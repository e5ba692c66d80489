/** The next step after a payment call. */
export type Outcome =
  | 'succeeded'
  | 'confirm_setup'
  | 'confirm_payment'
  | 'card_declined'
  | 'processing'
  | 'failed';

interface Intent {
  status: string;
}

export interface Subscription {
  status: string;
  latest_invoice: { payment_intent: Intent | null } | null;
  pending_setup_intent: Intent | null;
}

const licensed = ['active', 'trialing'];
const ended = ['canceled', 'unpaid', 'incomplete_expired'];

/**
 * What a subscription, fresh from the server, asks for next. `retry` tells that an earlier try at
 * the same invoice was declined: then a payment that still lacks a card is confirmed with the new
 * one rather than reported as declined again.
 */
export function decide(subscription: Subscription, retry: boolean): Outcome {
  const { status, latest_invoice, pending_setup_intent } = subscription;
  if (licensed.includes(status)) {
    return pending_setup_intent?.status === 'requires_action' ? 'confirm_setup' : 'succeeded';
  }
  // An ended subscription is never paid for: the money would buy nothing.
  if (ended.includes(status)) return 'failed';
  return decidePayment(latest_invoice?.payment_intent?.status, retry);
}

function decidePayment(status: string | undefined, retry: boolean): Outcome {
  switch (status) {
    case 'succeeded':
    case 'processing':
      return status;
    case 'requires_action':
    case 'requires_confirmation':
      return 'confirm_payment';
    case 'requires_payment_method':
      return retry ? 'confirm_payment' : 'card_declined';
    default:
      return 'failed';
  }
}
