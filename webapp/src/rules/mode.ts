import { upper } from './letter-case';
import { type Interval, isInterval, type License } from './types';

/**
 * Whether the query parameter `debug` enables the plans page. Any value does except "false" and "0", also the empty
 * one. Null means that the parameter is absent.
 */
export function isDebugOn(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0';
}

/** The mode of the plans page. */
export type Mode = 'loading' | 'disabled' | 'new' | 'update';

/** The state that the mode and the preset depend on. */
export interface ModeInput {
  /** Whether the session is loading. */
  loading: boolean;
  /** The result of `isDebugOn`. */
  debug: boolean;
  /** Whether the area is open to everyone, without debug. */
  live: boolean;
  license: License | null;
  pastLicense: License | null;
  /** The customer at the payment provider, with the currency of its charges and the one it requested. */
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
  /** Whether no other currency can be chosen. */
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
  const licenseInterval = input.license?.interval ?? '';
  const interval = isInterval(licenseInterval) ? licenseInterval : fallback.interval;
  const billedCurrency = billingCurrency(input);
  if (billedCurrency) return { interval, currency: billedCurrency, locked: true };
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
  const licenseCurrency = license?.isDev ? '' : license?.currency;
  return upper(licenseCurrency || pastLicense?.currency || customer?.currency || '');
}

/** Returns the preselected currency: that of a developer license, else that of the registration. */
function preferredCurrency({ license, customer }: ModeInput): string {
  return upper(license?.currency || customer?.metadata?.currency || '');
}
