import type { Config, Order } from '@/api';
import { amountText, perInterval } from './amount-text';
import { intervalOf } from './plan-text';

/** Returns 'invoice after approval, due 14 days later'. */
export const approvalTermsText = (dueDays: number): string =>
  `invoice after approval, due ${dueDays} days later`;

/** Returns '$816 AUD per year, invoice after approval, due 14 days later.'; empty if the server reports no terms. */
export function orderTermsText({ priceId, amount, dueDays }: Order, config: Config): string {
  const terms = [
    amount && `${amountText(config, amount)} ${perInterval(intervalOf(priceId))}`,
    dueDays !== undefined && approvalTermsText(dueDays),
  ].filter(Boolean);
  return terms.length > 0
    ? `${terms.join(', ').replace(/^./, (first) => first.toUpperCase())}.`
    : '';
}
