import type { PriceQuote } from '@/api';
import { amountText } from '@/modules/billing/amount-text';
import { dateText } from '@/modules/billing/plan-text';
import type { ScreenConfig } from '@/modules/config/config-store';

/**
 * Describes how much of a change becomes credit, and what the credit pays: "$483.90 AUD becomes credit, which is not paid
 * out. It pays Standard until 20 July 2028, then $12 AUD."
 */
export function creditEffectText(quote: PriceQuote, plan: string, config: ScreenConfig): string {
  const { creditBefore, creditAfter, dueNow } = quote;
  const gained = creditAfter.amount - Math.max(creditBefore.amount, 0);
  if (creditAfter.amount <= 0)
    return ['Nothing becomes credit.', chargeText(quote, config)].join(' ').trim();
  const credit = amountText(config, creditAfter);
  if (gained <= 0)
    return `Nothing becomes credit. Your credit of ${credit} ${creditUseText(quote, plan, config)}.`;
  const gainedText = `${amountText(config, { ...dueNow, amount: gained })} becomes credit, which is not paid out.`;
  const subject = creditBefore.amount > 0 ? `Your credit of ${credit}` : 'It';
  return `${gainedText} ${subject} ${creditUseText(quote, plan, config)}.`;
}

function creditUseText(
  { next, afterCredit }: PriceQuote,
  plan: string,
  config: ScreenConfig,
): string {
  if (!next) return 'is used for your next charges';
  if (next.amount > 0) {
    return `pays part of the next charge: ${amountText(config, next)} on ${dateText(next.at, config.timeZone)}`;
  }
  return afterCredit
    ? `pays ${plan} until ${dateText(afterCredit.at, config.timeZone)}, then ${amountText(config, afterCredit)}`
    : 'is used for your next charges';
}

const chargeText = ({ next }: PriceQuote, config: ScreenConfig): string =>
  next && next.amount > 0
    ? `The next charge is ${amountText(config, next)} on ${dateText(next.at, config.timeZone)}.`
    : '';
