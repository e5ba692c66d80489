import type { Config, License, OpenPayment } from '@/api';
import { longDate, longDateOf } from '@/features/payment/long-date';
import { amountText } from '@/features/payment/offer';
import { keptText, planName, unchangedText } from './open-payment-words';
import type { PayState } from './use-pay';

/** What a screen says when there is nothing left to do. */
export interface OpenPaymentEnd {
  title: string;
  text: string;
}

/** Says how a payment, or the dropping of a plan change, ended. */
export function endText(
  kind: 'paid' | 'dropped',
  open: OpenPayment,
  license: License | null,
  config: Config,
): OpenPaymentEnd {
  if (kind === 'dropped') {
    return { title: 'The change was dropped', text: keptText(license, config) };
  }
  const paid = `${amountText(config, open)} was paid.`;
  const plan = planName(open.priceId, config);
  switch (open.kind) {
    case 'first_payment':
      return { title: 'Your subscription has started', text: `${paid} ${plan} is your plan now.` };
    case 'overdue':
      return { title: 'Your bill is paid', text: `${paid} You keep ${plan}.` };
    case 'plan_change':
      return { title: 'Your plan has changed', text: `${paid} ${plan} is your plan now.` };
    case 'authentication':
      return { title: 'Your card is approved', text: approvedText(license) };
  }
}

function approvedText(license: License | null): string {
  const end = license?.raw.trial_end;
  return end
    ? `Nothing was charged. Your first payment is on ${longDateOf(end)}.`
    : 'Nothing was charged. Your first payment is when your trial ends.';
}

/** Says what a failed attempt means for the customer's money and plan. */
export function consequenceText(
  state: PayState,
  open: OpenPayment,
  license: License | null,
  config: Config,
): string {
  if (state.kind === 'failed' && state.failure.quote) {
    return `${amountText(config, open)} is open now. Nothing was charged.`;
  }
  switch (open.kind) {
    case 'overdue':
      return open.nextAttemptAt
        ? `Your bill is still open. We try again on ${longDate(new Date(open.nextAttemptAt))}.`
        : 'Your bill is still open.';
    case 'plan_change':
      return unchangedText(license, config);
    case 'first_payment':
    case 'authentication':
      return 'Nothing was charged.';
  }
}
