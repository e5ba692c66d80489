import type { Catalogue, Plan } from '@/api';
import { isPriceOfLicense } from '@/modules/billing/license';
import { formatAmount, needsDecimals } from '@/rules/money';
import type { PriceRef } from '@/rules/types';
import type { PlansView } from './use-plans-view';

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

/** Formats an amount of the displayed currency. */
export type FormatPrice = (amount: number) => string;

/**
 * Returns the amounts of a plan per month and per year; null for a plan without a price. The current plan and interval have
 * the customer's own price, other plans that of the catalogue.
 */
function pricesOf(
  { prices }: Pick<Catalogue, 'prices'>,
  plan: Plan,
  view: PlansView,
): [number, number] | null {
  const { interval, currency, license } = view;
  const listPrice = prices[plan.id]?.[currency];
  const ownPrice = license && isPriceOfLicense(priceRefOf(plan, view), license) && license.price;
  const perMonth = ownPrice ? ownPrice.perMonth : (listPrice?.perMonth[interval] ?? null);
  const annual = ownPrice ? ownPrice.annual : (listPrice?.annual[interval] ?? null);
  return perMonth === null || annual === null ? null : [perMonth, annual];
}

/** Returns the format of the prices: all have decimals if one of them needs them. Null without a currency. */
export function priceFormatOf(
  catalogue: Pick<Catalogue, 'prices' | 'plans'>,
  view: PlansView,
): FormatPrice | null {
  const { currencyInfo } = view;
  if (!currencyInfo) return null;
  const withDecimals = catalogue.plans
    .flatMap((plan) => pricesOf(catalogue, plan, view) ?? [])
    .some((amount) => needsDecimals(amount, currencyInfo));
  return (amount) => formatAmount(amount, currencyInfo, withDecimals);
}

/** Returns the texts of a plan's price, or null for a plan without a price. */
export function priceTextsOf(
  catalogue: Pick<Catalogue, 'prices'>,
  plan: Plan,
  view: PlansView,
  format: FormatPrice | null,
): PriceTexts | null {
  const prices = pricesOf(catalogue, plan, view);
  if (!format || !prices) return null;
  const [perMonth, annual] = prices;
  const days = view.trialUsed ? 0 : plan.trialPeriodDays;
  const trial = days > 0 ? `Free ${days}-day trial ` : '';
  const perMonthText = format(perMonth);
  return {
    perMonth: perMonthText,
    note: `${trial}${format(annual)} paid annually`,
    billingText: view.interval === 'monthly' ? `${perMonthText} billed each month` : '',
  };
}
