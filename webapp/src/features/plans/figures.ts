import type { Catalogue, Plan } from '@/api';
import { formatWithSymbol } from '@/rules/money';
import { note, perMonth, priceOf } from '@/rules/prices';
import { trialDays } from '@/rules/trial';
import type { PriceRef } from '@/rules/types';
import type { PlansView } from './use-plans';

/** The displayed price of a plan; null for a plan without a price. */
export interface Figures {
  /** "$68" */
  perMonth: string;
  /** "Free 7-day trial $816 paid annually", or without the trial when it was used. */
  note: string;
}

/** The price that a plan's card is about. */
export const priceRefOf = (plan: Plan, { interval, currency }: PlansView): PriceRef => ({
  product: plan.id,
  interval,
  currency,
});

export function figuresOf(
  prices: Catalogue['prices'],
  plan: Plan,
  view: PlansView,
): Figures | null {
  const { currencyInfo, trialUsed } = view;
  const ref = priceRefOf(plan, view);
  if (!currencyInfo || priceOf(prices, ref) === null) return null;
  const days = trialDays({ ...plan, trialUsed, noTrial: false });
  return {
    perMonth: formatWithSymbol(perMonth(prices, ref, currencyInfo) ?? 0, currencyInfo),
    note: note(prices, ref, currencyInfo, days) ?? '',
  };
}
