import type { Config, License, When } from '@/api';
import { can } from '@/lib/capabilities';
import { type Offer, type PricedOffer, priceIdOf } from '@/lib/offer';

interface WhenInput {
  to: PricedOffer;
  /** The current plan; null when it is no longer in the catalogue. */
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
    can(config, 'change_now') && (can(config, 'change_now_cheaper') || !isLess(to, from, config));
  const canLater =
    can(config, 'change_at_renewal') && license.scheduled_change?.priceId !== priceIdOf(to.ref);
  return [...(canNow ? (['now'] as const) : []), ...(canLater ? (['renewal'] as const) : [])];
}

/** Whether the new plan is cheaper, or is paid for a shorter time. */
function isLess(to: Offer, from: Offer | null, { catalogue }: Config): boolean {
  if (!from) return false;
  if (to.ref.interval !== from.ref.interval && to.ref.interval === 'monthly') return true;
  const before = catalogue.prices[from.ref.product]?.[from.ref.currency]?.[to.ref.interval] ?? null;
  const after = to.price?.amount ?? null;
  return before !== null && after !== null && after < before;
}
