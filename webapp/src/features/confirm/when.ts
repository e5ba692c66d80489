import type { Config, License, When } from '@/api';
import { can } from '@/lib/capabilities';
import type { Offer, PricedOffer } from '@/lib/offer';

interface WhenInput {
  to: PricedOffer;
  /** The current plan; null when it is no longer in the catalogue. */
  from: Offer | null;
  license: License;
  config: Config;
}

/** When a plan can be changed; the first is preselected. */
export function whenOptions({ to, from, license, config }: WhenInput): When[] {
  const less = isLess(to, from, config);
  const now = can(config, 'change_now') && !license.scheduled_change;
  const options: When[] = [];
  if (now && !(less && !can(config, 'change_now_cheaper'))) options.push('now');
  if (can(config, 'change_at_renewal')) options.push('renewal');
  return less ? options.reverse() : options;
}

/** Whether the new plan is cheaper, or is paid for a shorter time. */
function isLess(to: Offer, from: Offer | null, { catalogue }: Config): boolean {
  if (!from) return false;
  if (to.ref.interval !== from.ref.interval && to.ref.interval === 'monthly') return true;
  const before = catalogue.prices[from.ref.product]?.[from.ref.currency]?.[to.ref.interval] ?? null;
  const after = to.price?.amount ?? null;
  return before !== null && after !== null && after < before;
}
