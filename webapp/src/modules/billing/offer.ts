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
  /** Null when it is not for sale, or not in that currency. */
  price: Price | null;
}

/** An offer that is for sale. */
export type PricedOffer = Offer & { price: Price };

/** The id of a price without its currency, such as "professional_yearly", as used in calls. */
export const priceIdOf = ({ product, interval }: { product: string; interval: string }): string =>
  `${product}_${interval}`;

/** Whether a license is for the plan and interval of a price's id. */
export const hasPriceId = ({ interval, raw }: License, priceId: string): boolean =>
  priceIdOf({ product: raw.metadata.name, interval }) === priceId;

/** The parameters of a price in a call. */
export const priceChoiceOf = ({ product, interval, currency }: PriceRef): PriceChoice => ({
  priceId: priceIdOf({ product, interval }),
  interval,
  currency,
});

/** Returns the plan and interval of an address; null when the catalogue does not contain them. */
export function offerOf(
  { catalogue, currencies }: Pick<Config, 'catalogue' | 'currencies'>,
  choice: { product: string; interval: string; currency: string },
): Offer | null {
  const plan = catalogue.plans.find(({ id }) => id === choice.product);
  if (!plan || !isInterval(choice.interval)) return null;
  const ref = { product: plan.id, interval: choice.interval, currency: upper(choice.currency) };
  const currency = currencies.find(({ code }) => code === ref.currency);
  const amount = plan.disabled
    ? null
    : (catalogue.prices[ref.product]?.[ref.currency]?.[ref.interval] ?? null);
  return { plan, ref, price: currency && amount !== null ? { amount, currency } : null };
}

/** Formats an amount with its currency code, "$816 AUD", because several currencies share a symbol. */
export function priceText({ amount, currency }: Price): string {
  return `${formatAmount(amount, currency)} ${currency.code}`;
}

/** Formats an amount with its currency code, also in a currency that is no longer in the catalogue. */
export function amountText(
  { currencies }: Pick<Config, 'currencies'>,
  { amount, currency: code }: { amount: number; currency: string },
): string {
  const currency = currencies.find((info) => info.code === upper(code));
  if (currency) return priceText({ amount, currency });
  const format = new Intl.NumberFormat('en-AU', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'code',
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(decimalOf(amount, digits)).replace('-', '−');
}

/** An amount and its currency code, which are set in different sizes; the code is empty where it is in the amount. */
export function amountParts(
  config: Pick<Config, 'currencies'>,
  amount: Money,
): { figure: string; code: string } {
  const code = upper(amount.currency);
  const isKnown = config.currencies.some((info) => info.code === code);
  return { figure: symbolText(config, amount), code: isKnown ? code : '' };
}

/** Formats an amount without currency code, for lines above a total that has it: "−$322.80". */
export function symbolText(config: Pick<Config, 'currencies'>, amount: Money): string {
  const currency = config.currencies.find((info) => info.code === upper(amount.currency));
  if (!currency) return amountText(config, amount);
  return formatAmount(amount.amount, currency);
}

/**
 * Returns how the amounts of a column are formatted: all have decimals if one of them needs them, so that
 * they align. Without currency code.
 */
export function columnFormat(
  config: Pick<Config, 'currencies'>,
  code: string,
  column: number[],
): (minor: number) => string {
  const currency = config.currencies.find((info) => info.code === upper(code));
  if (!currency) return (amount) => amountText(config, { amount, currency: code });
  const isWhole = (minor: number) => /\.0+$|^-?\d+$/.test(decimalOf(minor, currency.minor_digits));
  const withDecimals = !column.every(isWhole);
  return (minor) => formatAmount(minor, currency, withDecimals);
}

/** The display text of the billing interval. */
export function perInterval(interval: string): string {
  return interval === 'yearly' ? 'per year' : 'per month';
}
