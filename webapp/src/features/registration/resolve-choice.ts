import type { Config } from '@/api';
import { type Offer, offerOf } from '@/features/payment/offer';
import { upper } from '@/rules/text';
import type { Choice } from './registration-payload';

/** A choice from the address, matched with the catalogue. */
export interface ResolvedChoice {
  /** What is sent: no product for an unknown plan or interval, the default for an unknown currency. */
  choice: Choice;
  /** Null for an unknown plan or interval. Without a price the plan can only be asked for. */
  offer: Offer | null;
}

/** Matches a choice with what the catalogue sells; an address can be mistyped or out of date. */
export function resolveChoice(
  config: Config,
  { product, interval, currency }: Choice,
): ResolvedChoice {
  const sold = config.currencies.some(({ code }) => code === upper(currency));
  const choice = { product, interval, currency: sold ? upper(currency) : config.defaults.currency };
  const offer = offerOf(config, choice);
  return { choice: offer ? choice : { ...choice, product: '', interval: '' }, offer };
}
