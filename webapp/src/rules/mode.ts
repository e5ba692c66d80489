import { upper } from './letter-case';
import { type Interval, isInterval, type License } from './types';

/**
 * Whether the query parameter `debug` enables the plans page: with any value but "false" and "0", also
 * empty. Null, as returned by URLSearchParams.get, means that it is absent.
 */
export function isDebugOn(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0';
}

/** The mode of the plans page. */
export type Mode = 'loading' | 'disabled' | 'new' | 'update';

/** The input of the mode. */
export interface ModeInput {
  /** The session is still loading. */
  loading: boolean;
  /** See isDebugOn. */
  debug: boolean;
  /** The area is open to everyone, without debug. */
  live: boolean;
  license: License | null;
  pastLicense: License | null;
  /** The customer at the payment provider: the currency it is charged in, and the requested one. */
  customer: Customer | null;
}

interface Customer {
  currency?: string | null;
  metadata?: { currency?: string | null } | null;
}

/**
 * Returns the plans page's mode. A developer license disables the page: it is granted by hand and can't
 * be bought, changed or replaced here.
 */
export function modeOf({ loading, debug, live, license, pastLicense }: ModeInput): Mode {
  if (loading) return 'loading';
  if (!(debug || live) || license?.isDev) return 'disabled';
  return license || pastLicense ? 'update' : 'new';
}

/** The initial state of the plans page's toggle and currency selector. */
interface Preset {
  interval: Interval;
  currency: string;
  /** The currency can't be chosen any more. */
  locked: boolean;
}

/**
 * Returns the preset. The interval is the license's, else the fallback's. The currency is the one in which the
 * organisation is charged, which locks it; else the one chosen at registration, if it is sold; else the
 * fallback's.
 */
export function presetOf(
  input: ModeInput,
  soldCurrencies: readonly string[],
  fallback: { interval: Interval; currency: string },
): Preset {
  const licensed = input.license?.interval ?? '';
  const interval = isInterval(licensed) ? licensed : fallback.interval;
  const billedIn = billingCurrency(input);
  if (billedIn) return { interval, currency: billedIn, locked: true };
  const preferred = preferredCurrency(input);
  return {
    interval,
    currency: soldCurrencies.includes(preferred) ? preferred : fallback.currency,
    locked: false,
  };
}

/**
 * Returns the currency in which the organisation is charged, or "": the license's, else the past license's, else the
 * customer's. A developer license is not charged, so its currency does not count.
 */
function billingCurrency({ license, pastLicense, customer }: ModeInput): string {
  const licensed = license?.isDev ? '' : license?.currency;
  return upper(licensed || pastLicense?.currency || customer?.currency || '');
}

/** Returns the preselected currency: that of a developer license, else that of the registration. */
function preferredCurrency({ license, customer }: ModeInput): string {
  return upper(license?.currency || customer?.metadata?.currency || '');
}
