import { asciiUpper } from './letter-case';
import { type Interval, isInterval, type License } from './types';

/**
 * Whether the query parameter `debug` enables the plans page. Any value except "false" and "0" enables it; null means that
 * the parameter is absent.
 */
export function isDebugOn(value: string | null): boolean {
  return value !== null && value !== 'false' && value !== '0';
}

/** The mode of the plans page. */
export type PlansPageMode = 'loading' | 'disabled' | 'new' | 'update';

/** The state that determines the mode and the initial selection of the plans page. */
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
 * Returns the mode of the plans page. A developer license disables the page: it is granted by hand and can't be bought,
 * changed or replaced here.
 */
export function plansPageMode({
  loading,
  debug,
  live,
  license,
  pastLicense,
}: PlansPageInput): PlansPageMode {
  if (loading) return 'loading';
  if (!(debug || live) || license?.isDev) return 'disabled';
  return license || pastLicense ? 'update' : 'new';
}

/** The initial state of the interval toggle and the currency selector. */
interface InitialSelection {
  interval: Interval;
  currency: string;
  /** Whether the currency can't be changed. */
  locked: boolean;
}

/**
 * Returns the interval of the license, or the fallback. The currency is locked if the organisation is charged in one.
 * Otherwise it is the preferred currency if plans are sold in it, or the fallback.
 */
export function initialSelection(
  input: PlansPageInput,
  soldCurrencies: readonly string[],
  fallback: { interval: Interval; currency: string },
): InitialSelection {
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
 * Returns the currency in which the organisation is charged: that of the license, the past license or the customer, in
 * this order, or "" if it is not charged. A developer license is not charged, so its currency does not count.
 */
function lockedCurrency({ license, pastLicense, customer }: PlansPageInput): string {
  const licenseCurrency = license?.isDev ? '' : license?.currency;
  return asciiUpper(licenseCurrency || pastLicense?.currency || customer?.currency || '');
}

/** Returns the preferred currency: that of the developer license, or the one that was chosen at registration. */
function preferredCurrency({ license, customer }: PlansPageInput): string {
  return asciiUpper(license?.currency || customer?.metadata?.currency || '');
}
