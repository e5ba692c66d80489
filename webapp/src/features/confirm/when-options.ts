import type { Config, License, When } from '@/api';
import { type Offer, type PricedOffer, priceIdOf } from '@/modules/billing/offer';
import { can } from '@/modules/config/capabilities';

interface PlanChangeInput {
  target: PricedOffer;
  /** The current plan, whose price is used if the license has none; null when it is no longer in the catalogue. */
  currentOffer: Offer | null;
  license: License;
  config: Config;
}

/**
 * Returns the times at which a plan can be changed; the first is preselected. The specification has only changes
 * at once, so they come first. A change that is scheduled already can only be made earlier.
 */
export function whenOptions({ target, currentOffer, license, config }: PlanChangeInput): When[] {
  const offersNow =
    can(config, 'change_now') &&
    (can(config, 'change_now_cheaper') || !isNothingDueNow(target, currentOffer, license));
  const offersRenewal =
    can(config, 'change_at_renewal') && license.scheduled_change?.priceId !== priceIdOf(target.ref);
  return [
    ...(offersNow ? (['now'] as const) : []),
    ...(offersRenewal ? (['renewal'] as const) : []),
  ];
}

/**
 * Whether a change now would cost nothing now: the new plan costs no more than the current one, or is paid for a
 * shorter time.
 */
export function isNothingDueNow(
  target: PricedOffer,
  currentOffer: Offer | null,
  license: License,
): boolean {
  if (license.interval === 'yearly' && target.ref.interval === 'monthly') return true;
  const currentAmount = license.price?.amount ?? currentOffer?.price?.amount;
  return currentAmount !== undefined && target.price.amount <= currentAmount;
}

/** Returns when the trial of a license ends, or else its period, in seconds; null when it is unknown. */
export function renewalTime({ raw }: License): number | null {
  return (raw.status === 'trialing' ? raw.trial_end : null) ?? raw.current_period_end;
}
