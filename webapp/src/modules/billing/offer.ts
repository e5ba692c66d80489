import type { Config, Currency, License, Money, Plan, PriceChoice } from '@/api';
import { upper } from '@/rules/letter-case';
import { decimalOf, formatAmount } from '@/rules/money';
import { isInterval, type PriceRef } from '@/rules/types';

/** An amount in minor units with the properties of its currency. */
export interface Price {
  amount: number;
  currency: Currency;
}

/** A plan of the catalogue with the chosen interval and currency. */
export interface Offer {
  plan: Plan;
  ref: PriceRef;
  /** Null if the plan is not for sale, or not in that currency. */
  price: Price | null;
}

/** An offer that is for sale. */
export type PricedOffer = Offer & { price: Price };

/** Returns the id of a price in calls, which does not name the currency: "professional_yearly". */
export const priceIdOf = ({ product, interval }: { product: string; interval: string }): string =>
  `${product}_${interval}`;

/** Whether a license is for the plan and interval of this price id. */
export const hasPriceId = ({ interval, raw }: License, priceId: string): boolean =>
  priceIdOf({ product: raw.metadata.name, interval }) === priceId;

/** Returns the parameters of a price in a call. */
export const priceChoiceOf = ({ product, interval, currency }: PriceRef): PriceChoice => ({
  priceId: priceIdOf({ product, interval }),
  interval,
  currency,
});

/** Returns the offer of the plan and interval in a URL; null when the catalogue does not contain them. */
export function offerOf(
  { catalogue, currencies }: Pick<Config, 'catalogue' | 'currencies'>,
  choice: { product: string; interval: string; currency: string },
): Offer | null {
  const plan = catalogue.plans.find(({ id }) => id === choice.product);
  if (!plan || !isInterval(choice.interval)) return null;
  const ref = { product: plan.id, interval: choice.interval, currency: upper(choice.currency) };
  const currency = findCurrency({ currencies }, ref.currency);
  const amount = plan.disabled
    ? null
    : (catalogue.prices[ref.product]?.[ref.currency]?.[ref.interval] ?? null);
  return { plan, ref, price: currency && amount !== null ? { amount, currency } : null };
}

type Currencies = Pick<Config, 'currencies'>;

/** Returns the currency with this code in any case; undefined if the catalogue does not have it. */
const findCurrency = ({ currencies }: Currencies, code: string): Currency | undefined =>
  currencies.find((currency) => currency.code === upper(code));

/** Formats an amount with its currency code, "$816 AUD", because several currencies share a symbol. */
export function priceText({ amount, currency }: Price): string {
  return `${formatAmount(amount, currency)} ${currency.code}`;
}

/** Formats an amount with its currency code, also in a currency that is no longer in the catalogue. */
export function amountText(
  config: Currencies,
  { amount, currency: code }: { amount: number; currency: string },
): string {
  const currency = findCurrency(config, code);
  if (currency) return priceText({ amount, currency });
  const format = new Intl.NumberFormat('en-AU', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'code',
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(decimalOf(amount, digits)).replace('-', '−');
}

/** Returns an amount and its currency code, to show them in different sizes. The code is empty if the amount contains it. */
export function amountParts(config: Currencies, amount: Money): { figure: string; code: string } {
  const { code = '' } = findCurrency(config, amount.currency) ?? {};
  return { figure: symbolText(config, amount), code };
}

/** Formats an amount without currency code, for lines above a total that has it: "−$322.80". */
export function symbolText(config: Currencies, amount: Money): string {
  const currency = findCurrency(config, amount.currency);
  return currency ? formatAmount(amount.amount, currency) : amountText(config, amount);
}

/**
 * Returns a function that formats the amounts of a column without currency code. All amounts have decimals if one
 * of them needs decimals, so that they align.
 */
export function columnFormat(
  config: Currencies,
  code: string,
  column: number[],
): (minor: number) => string {
  const currency = findCurrency(config, code);
  if (!currency) return (amount) => amountText(config, { amount, currency: code });
  const isWhole = (minor: number) => /\.0+$|^-?\d+$/.test(decimalOf(minor, currency.minor_digits));
  const needsDecimals = !column.every(isWhole);
  return (minor) => formatAmount(minor, currency, needsDecimals);
}

/** Returns the display text of a billing interval. */
export function perInterval(interval: string): string {
  return interval === 'yearly' ? 'per year' : 'per month';
}
