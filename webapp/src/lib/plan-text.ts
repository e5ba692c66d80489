import type { BilledSubscription, Billing, Config, License } from '@/api';
import { brandName, maskedNumber } from './card-text';
import { longDate } from './dates';
import { amountText } from './offer';
import { planName } from './payment/open-payment-text';

/** 'Professional, yearly'. */
export function planText(
  { priceId, interval }: Pick<BilledSubscription, 'priceId' | 'interval'>,
  config: Config,
): string {
  return `${planName(priceId, config)}, ${interval}`;
}

/** 'Next charge: $816 AUD on 28 November 2026 to Visa •••• 4242.'; empty when nothing is charged. */
export function nextChargeText({ next, card }: Billing, config: Config): string {
  if (!next) return '';
  const to = card ? ` to ${card.label ?? `${brandName(card)} ${maskedNumber(card)}`}` : '';
  return `Next charge: ${amountText(config, next)} on ${dateText(next.at)}${to}.`;
}

/** The long date of a time in a response. */
export const dateText = (time: string): string => longDate(new Date(time));

/** The display name of the plan of a license. */
export function licensedPlan({ raw }: License, { catalogue }: Pick<Config, 'catalogue'>): string {
  const product = raw.metadata.name;
  return catalogue.plans.find(({ id }) => id === product)?.displayName ?? product;
}
