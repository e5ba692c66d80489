import type { Config, Currency, Money, Plan } from '@/api';
import { upper } from '@/rules/text';
import { isInterval, type PriceRef } from '@/rules/types';
import { decimalOf, formatAmount } from './money';

/** An amount in whole minor units, with what is known of its currency. */
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

/** The id of a price without its currency, such as "professional_yearly": what calls name it by. */
export const priceIdOf = ({ product, interval }: { product: string; interval: string }): string =>
  `${product}_${interval}`;

/** The choice in an address, as far as the catalogue knows plan and interval; else null. */
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

/** "$816 AUD": the native symbol alone would leave open whose dollars they are. */
export function priceText({ amount, currency }: Price): string {
  return `${formatAmount(amount, currency)} ${currency.code}`;
}

/** The same for an amount in any currency, which the catalogue may not sell in any more. */
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
  return format.format(decimalOf(amount, format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** An amount without its code, for the lines above a sum that has it: "−$322.80". */
export function symbolText(config: Pick<Config, 'currencies'>, amount: Money): string {
  const currency = config.currencies.find((info) => info.code === upper(amount.currency));
  if (!currency) return amountText(config, amount);
  return formatAmount(amount.amount, currency).replace('-', '−');
}

/** How often a price is paid. */
export function perInterval(interval: string): string {
  return interval === 'yearly' ? 'per year' : 'per month';
}
