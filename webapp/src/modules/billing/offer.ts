import type { Config, License, Plan, PriceChoice } from '@/api';
import { asciiUpper } from '@/rules/letter-case';
import { isInterval, type PriceRef } from '@/rules/types';
import { findCurrency, type Price } from './amount-text';

/** A plan of the catalogue with the chosen interval and currency. */
export interface Offer {
  plan: Plan;
  priceRef: PriceRef;
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

/** Returns the offer of the plan and interval in a URL, or null when the catalogue does not contain them. */
export function offerOf(
  { catalogue, currencies }: Pick<Config, 'catalogue' | 'currencies'>,
  choice: { product: string; interval: string; currency: string },
): Offer | null {
  const plan = catalogue.plans.find(({ id }) => id === choice.product);
  if (!plan || !isInterval(choice.interval)) return null;
  const priceRef = {
    product: plan.id,
    interval: choice.interval,
    currency: asciiUpper(choice.currency),
  };
  const currency = findCurrency({ currencies }, priceRef.currency);
  const amount = plan.disabled
    ? null
    : (catalogue.prices[priceRef.product]?.[priceRef.currency]?.[priceRef.interval] ?? null);
  return { plan, priceRef, price: currency && amount !== null ? { amount, currency } : null };
}
