import { divide, formatWithSymbol } from './money';
import type { CurrencyInfo, PriceRef, PriceTable } from './types';

const monthsPerYear = 12;

/** The name of a price without its currency, such as "professional_yearly". */
export function priceIdOf({ product, interval }: Omit<PriceRef, 'currency'>): string {
  return `${product}_${interval}`;
}

/** The amount that is charged, in whole minor units; null when there is none. */
export function priceOf(table: PriceTable, ref: PriceRef): number | null {
  return table[ref.product]?.[ref.currency]?.[ref.interval] ?? null;
}

/**
 * The figure shown big on a plan: the monthly price, or a twelfth of the yearly one. For show
 * only; what is charged is priceOf.
 */
export function perMonth(table: PriceTable, ref: PriceRef, currency: CurrencyInfo): number | null {
  const price = priceOf(table, ref);
  if (price === null || ref.interval === 'monthly') return price;
  return divide(price, monthsPerYear, currency);
}

/** What a year costs: the yearly price, or twelve monthly ones. */
export function annual(table: PriceTable, ref: PriceRef): number | null {
  const price = priceOf(table, ref);
  if (price === null || ref.interval === 'yearly') return price;
  return price * monthsPerYear;
}

/**
 * The line under a plan, "Free 7-day trial $816 paid annually": without the trial's part when the
 * plan has none, and null without a price.
 */
export function note(
  table: PriceTable,
  ref: PriceRef,
  currency: CurrencyInfo,
  trialPeriodDays: number,
): string | null {
  const year = annual(table, ref);
  if (year === null) return null;
  const trial = trialPeriodDays > 0 ? `Free ${trialPeriodDays}-day trial ` : '';
  return `${trial}${formatWithSymbol(year, currency)} paid annually`;
}
