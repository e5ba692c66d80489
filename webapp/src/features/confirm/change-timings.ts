import type { ChangeTiming, Config, License } from '@/api';
import { type Offer, type PricedOffer, priceIdOf } from '@/modules/billing/offer';
import { can } from '@/modules/config/capabilities';

interface PlanChangeInput {
  target: PricedOffer;
  /** The current plan; its price is used if the license has none. Null when it is no longer in the catalogue. */
  currentOffer: Offer | null;
  license: License;
  config: Config;
}

/**
 * Returns the possible timings of a plan change; the first is preselected. 'now' comes first, because the specification
 * has only immediate changes. 'renewal' is left out if this change is already scheduled.
 */
export function possibleTimings(input: PlanChangeInput): ChangeTiming[] {
  const { target, currentOffer, license, config } = input;
  const canChangeNow =
    can(config, 'change_now') &&
    (can(config, 'change_now_cheaper') || isChargedNow(target, currentOffer, license));
  const canChangeAtRenewal =
    can(config, 'at_period_end') &&
    license.scheduled_change?.priceId !== priceIdOf(target.priceRef);
  return [
    ...(canChangeNow ? (['now'] as const) : []),
    ...(canChangeAtRenewal ? (['renewal'] as const) : []),
  ];
}

/**
 * Whether an immediate change is charged. A change to a plan that costs no more, or from yearly to monthly billing, is
 * not charged.
 */
export function isChargedNow(
  target: PricedOffer,
  currentOffer: Offer | null,
  license: License,
): boolean {
  if (license.interval === 'yearly' && target.priceRef.interval === 'monthly') return false;
  const currentAmount = license.price?.amount ?? currentOffer?.price?.amount;
  return currentAmount === undefined || target.price.amount > currentAmount;
}

/** Returns the Unix time at which the trial, or otherwise the current period, ends; null if it is unknown. */
export function renewalTime({ raw }: License): number | null {
  return (raw.status === 'trialing' ? raw.trial_end : null) ?? raw.current_period_end;
}
