import type { Catalogue, Plan } from '@/api';
import { isPriceOfLicense } from '@/modules/billing/license';
import { formatAmount } from '@/rules/money';
import type { PriceRef } from '@/rules/types';
import type { PlansView } from './use-plans';

/** The texts of a plan's price. */
export interface PriceTexts {
  /** "$68" */
  perMonth: string;
  /** "Free 7-day trial $816 paid annually"; without the trial if it was used. */
  note: string;
  /** "$39 billed each month"; empty for annual billing. */
  billingText: string;
}

/** Returns the price that the card of a plan displays. */
export const priceRefOf = (plan: Plan, { interval, currency }: PlansView): PriceRef => ({
  product: plan.id,
  interval,
  currency,
});

/**
 * Returns the texts of a plan's price in the catalogue or, for the current plan and interval, of the customer's own
 * price; null for a plan without a price.
 */
export function priceTextsOf(
  catalogue: Pick<Catalogue, 'prices'>,
  plan: Plan,
  view: PlansView,
): PriceTexts | null {
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
    billingText: interval === 'monthly' ? `${perMonthText} billed each month` : '',
  };
}
