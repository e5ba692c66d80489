import type { ModeInput } from './mode';
import { upper } from './text';
import { type Interval, isInterval } from './types';

/** What the plans page's toggle and currency selector show before anyone touches them. */
export interface Preset {
  interval: Interval;
  currency: string;
  /** The currency can't be chosen any more. */
  locked: boolean;
}

/**
 * The preset. The interval is the license's, else the fallback's. The currency is the one the
 * organisation is charged in, and then it is locked; else the one chosen at registration, when it
 * is sold; else the fallback's.
 */
export function presetOf(
  input: ModeInput,
  sold: readonly string[],
  fallback: { interval: Interval; currency: string },
): Preset {
  const licensed = input.license?.interval ?? '';
  const interval = isInterval(licensed) ? licensed : fallback.interval;
  const charged = chargedIn(input);
  if (charged) return { interval, currency: charged, locked: true };
  const wish = wishedFor(input);
  return { interval, currency: sold.includes(wish) ? wish : fallback.currency, locked: false };
}

/**
 * The currency of everything the organisation has bought, or "". A developer license was never
 * bought and fixes nothing.
 */
function chargedIn({ license, pastLicense, customer }: ModeInput): string {
  const bought = license?.isDev ? '' : license?.currency;
  return upper(customer?.currency || bought || pastLicense?.currency || '');
}

/** A currency that fixes nothing: a developer license's, else the registration's. */
function wishedFor({ license, customer }: ModeInput): string {
  return upper(license?.currency || customer?.metadata?.currency || '');
}
