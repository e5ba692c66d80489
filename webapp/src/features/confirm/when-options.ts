import type { Config, License, When } from '@/api';
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
 * Returns the times at which a plan can be changed; the first is preselected. It is 'now' if possible, because the
 * specification has only changes at once. A change that is already scheduled is offered only now.
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
 * Whether nothing would be due for a change now, because the new plan costs no more than the current one or is paid
 * for a shorter period.
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

/** Returns the end of the trial or else of the period in Unix seconds; null when it is unknown. */
export function renewalTime({ raw }: License): number | null {
  return (raw.status === 'trialing' ? raw.trial_end : null) ?? raw.current_period_end;
}
