import type { Config, License, When } from '@/api';
import { type Offer, type PricedOffer, priceIdOf } from '@/modules/billing/offer';
import { can } from '@/modules/config/capabilities';

interface WhenInput {
  to: PricedOffer;
  /** The current plan, whose price is used if the license has none; null when it is no longer in the catalogue. */
  from: Offer | null;
  license: License;
  config: Config;
}

/**
 * When a plan can be changed; the first is preselected. The specification knows changes at once only, so
 * they come first. A change that is scheduled already can only be made earlier.
 */
export function whenOptions({ to, from, license, config }: WhenInput): When[] {
  const canNow =
    can(config, 'change_now') && (can(config, 'change_now_cheaper') || !isLess(to, from, license));
  const canLater =
    can(config, 'change_at_renewal') && license.scheduled_change?.priceId !== priceIdOf(to.ref);
  return [...(canNow ? (['now'] as const) : []), ...(canLater ? (['renewal'] as const) : [])];
}

/** Whether nothing would be due now: the new plan costs no more than the current one, or is paid for a shorter time. */
export function isLess({ ref, price }: PricedOffer, from: Offer | null, license: License): boolean {
  if (license.interval === 'yearly' && ref.interval === 'monthly') return true;
  const before = license.price?.amount ?? from?.price?.amount;
  return before !== undefined && price.amount <= before;
}
