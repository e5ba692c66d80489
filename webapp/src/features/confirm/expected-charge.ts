import type { Config, PriceQuote } from '@/api';
import type { PricedOffer } from '@/modules/billing/offer';
import { expectedQuote } from '@/modules/payments/expected-quote';
import type { PlanChange } from './use-plan-change';
import { isLess } from './when';

type Change = Pick<PlanChange, 'license' | 'from' | 'when' | 'pending'>;

/** The expected quote of a change: with the lines of a proration if the change is made within a paid period. */
export function expectedCharge(
  { license, from, when, pending }: Change,
  to: PricedOffer,
  config: Pick<Config, 'catalogue'>,
): PriceQuote {
  const { amount } = to.price;
  const { currency } = to.ref;
  const atRenewal = when === 'renewal';
  const next = pending ? null : amount;
  if (license?.raw.status !== 'active' || atRenewal) {
    return expectedQuote({ currency, due: atRenewal ? 0 : amount, next }, config);
  }
  const credit = isLess(to, from, license) ? amount : 0;
  const period = { start: null, end: new Date().toISOString() };
  const lines = [
    { description: to.plan.displayName, amount, period },
    { description: `Unused time on ${from?.plan.displayName}`, amount: -amount, period },
  ];
  return expectedQuote({ currency, due: amount - credit, next, lines, credit }, config);
}
