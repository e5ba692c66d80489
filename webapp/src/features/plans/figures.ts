import type { Catalogue, Plan } from '@/api';
import { isPriceOfLicense } from '@/modules/billing/license';
import { formatAmount } from '@/rules/money';
import type { PriceRef } from '@/rules/types';
import type { PlansView } from './use-plans';

/** The texts of a plan's price. */
export interface Figures {
  /** "$68" */
  perMonth: string;
  /** "Free 7-day trial $816 paid annually", or without the trial when it was used. */
  note: string;
  /** "$39 billed each month"; empty for annual billing. */
  billed: string;
}

/** The price that a plan's card displays. */
export const priceRefOf = (plan: Plan, { interval, currency }: PlansView): PriceRef => ({
  product: plan.id,
  interval,
  currency,
});

/**
 * Returns the catalogue's price of a plan or, for the customer's current plan, what the customer pays; null for a
 * plan without a price.
 */
export function figuresOf(
  catalogue: Pick<Catalogue, 'prices'>,
  plan: Plan,
  view: PlansView,
): Figures | null {
  const { currencyInfo, trialUsed, interval, currency, license } = view;
  const listPrice = catalogue.prices[plan.id]?.[currency];
  const ownPrice = license && isPriceOfLicense(priceRefOf(plan, view), license) && license.price;
  const perMonth = ownPrice ? ownPrice.perMonth : (listPrice?.perMonth[interval] ?? null);
  const annual = ownPrice ? ownPrice.annual : (listPrice?.annual[interval] ?? null);
  if (!currencyInfo || perMonth === null || annual === null) return null;
  const days = trialUsed ? 0 : plan.trialPeriodDays;
  const trial = days > 0 ? `Free ${days}-day trial ` : '';
  const perMonthText = formatAmount(perMonth, currencyInfo);
  return {
    perMonth: perMonthText,
    note: `${trial}${formatAmount(annual, currencyInfo)} paid annually`,
    billed: interval === 'monthly' ? `${perMonthText} billed each month` : '',
  };
}
