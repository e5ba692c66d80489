import type { Config, PriceQuote } from '@/api';
import type { PricedOffer } from '@/modules/billing/offer';
import { expectedQuote } from '@/modules/payments/expected-quote';
import type { PlanChange } from './use-plan-change';
import { isNothingDueNow } from './when-options';

type Change = Pick<PlanChange, 'license' | 'currentOffer' | 'when' | 'pendingPayment'>;

/**
 * Returns an estimate of the quote of a change, which takes up the same space on the screen while the quote loads. It
 * has the lines of a proration if the change is made within a paid period.
 */
export function expectedCharge(
  { license, currentOffer, when, pendingPayment }: Change,
  target: PricedOffer,
  config: Pick<Config, 'catalogue'>,
): PriceQuote {
  const { amount } = target.price;
  const { currency } = target.ref;
  const atRenewal = when === 'renewal';
  const next = pendingPayment ? null : amount;
  if (license?.raw.status !== 'active' || atRenewal) {
    return expectedQuote({ currency, due: atRenewal ? 0 : amount, next }, config);
  }
  const credit = isNothingDueNow(target, currentOffer, license) ? amount : 0;
  const period = { start: null, end: new Date().toISOString() };
  const lines = [
    { description: target.plan.displayName, amount, period },
    { description: `Unused time on ${currentOffer?.plan.displayName}`, amount: -amount, period },
  ];
  return expectedQuote({ currency, due: amount - credit, next, lines, credit }, config);
}
