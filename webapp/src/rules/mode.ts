import { upper } from './letter-case';
import { type Interval, isInterval, type License } from './types';

/**
 * Whether the query parameter `debug` enables the plans page: every value does except "false" and "0". Null means that
 * the parameter is absent.
 */
export function isDebugOn(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0';
}

/** The mode of the plans page. */
export type Mode = 'loading' | 'disabled' | 'new' | 'update';

/** The state that the plans page's mode and preset depend on. */
export interface PlansPageInput {
  /** Whether the session is loading. */
  loading: boolean;
  /** Whether debug is on. */
  debug: boolean;
  /** Whether the plans page is enabled without debug. */
  live: boolean;
  license: License | null;
  pastLicense: License | null;
  /** The customer at the payment provider. */
  customer: Customer | null;
}

interface Customer {
  /** The currency of its charges. */
  currency?: string | null;
  /** Contains the currency that was chosen at registration. */
  metadata?: { currency?: string | null } | null;
}

/**
 * Returns the plans page's mode. A developer license disables the page: it is granted by hand and can't
 * be bought, changed or replaced here.
 */
export function modeOf({ loading, debug, live, license, pastLicense }: PlansPageInput): Mode {
  if (loading) return 'loading';
  if (!(debug || live) || license?.isDev) return 'disabled';
  return license || pastLicense ? 'update' : 'new';
}

/** The initial state of the plans page's toggle and currency selector. */
interface Preset {
  interval: Interval;
  currency: string;
  /** Whether the currency can't be changed. */
  locked: boolean;
}

/**
 * Returns the preset. The interval is the license's, else the fallback's. If the organisation is charged in a currency,
 * that is locked. Otherwise the currency is the preferred one if plans are sold in it, else the fallback's.
 */
export function presetOf(
  input: PlansPageInput,
  soldCurrencies: readonly string[],
  fallback: { interval: Interval; currency: string },
): Preset {
  const licenseInterval = input.license?.interval ?? '';
  const interval = isInterval(licenseInterval) ? licenseInterval : fallback.interval;
  const currency = lockedCurrency(input);
  if (currency) return { interval, currency, locked: true };
  const preferred = preferredCurrency(input);
  return {
    interval,
    currency: soldCurrencies.includes(preferred) ? preferred : fallback.currency,
    locked: false,
  };
}

/**
 * Returns the currency in which the organisation is charged: the license's, else the past license's, else the
 * customer's, else "". A developer license is not charged, so its currency does not count.
 */
function lockedCurrency({ license, pastLicense, customer }: PlansPageInput): string {
  const licenseCurrency = license?.isDev ? '' : license?.currency;
  return upper(licenseCurrency || pastLicense?.currency || customer?.currency || '');
}

/** Returns the preselected currency: the developer license's, else the registration's. */
function preferredCurrency({ license, customer }: PlansPageInput): string {
  return upper(license?.currency || customer?.metadata?.currency || '');
}
