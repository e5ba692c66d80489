import type { Plan } from '@/api';
import { isInterval } from '@/rules/types';

/**
 * How the plan in an address is called; null when the catalogue does not know it, or not with
 * that interval. An address that leaves the interval out is not held to one.
 */
export function displayNameOf(
  plans: readonly Plan[],
  product: string | null,
  interval: string | null,
): string | null {
  if (interval !== null && !isInterval(interval)) return null;
  return plans.find(({ id }) => id === product)?.displayName ?? null;
}
