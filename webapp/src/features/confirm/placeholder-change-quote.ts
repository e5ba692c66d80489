import type { Config, PriceQuote } from '@/api';
import type { PricedOffer } from '@/modules/billing/offer';
import { placeholderQuote } from '@/modules/payments/placeholder-quote';
import { isChargedNow } from './change-timings';
import type { PlanChange } from './use-plan-change';

type QuotedPlanChange = Pick<PlanChange, 'license' | 'currentOffer' | 'timing' | 'pendingPayment'>;

/**
 * Returns an estimate of the quote of a change, which takes up the same space on the screen while the quote loads. It
 * has the lines of a proration if the change is made within a paid period.
 */
export function placeholderChangeQuote(
  { license, currentOffer, timing, pendingPayment }: QuotedPlanChange,
  target: PricedOffer,
  config: Pick<Config, 'catalogue'>,
): PriceQuote {
  const { amount } = target.price;
  const { currency } = target.priceRef;
  const isAtRenewal = timing === 'renewal';
  const next = pendingPayment ? null : amount;
  if (license?.raw.status !== 'active' || isAtRenewal) {
    return placeholderQuote({ currency, due: isAtRenewal ? 0 : amount, next }, config);
  }
  const credit = isChargedNow(target, currentOffer, license) ? 0 : amount;
  const period = { start: null, end: new Date().toISOString() };
  const lines = [
    { description: target.plan.displayName, amount, period },
    // Almost every proration has cents. With cents here, all amounts of the screen have decimals from the start.
    { description: `Unused time on ${currentOffer?.plan.displayName}`, amount: 1 - amount, period },
  ];
  return placeholderQuote({ currency, due: amount - credit, next, lines, credit }, config);
}
