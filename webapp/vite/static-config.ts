import type { Plugin } from 'vite';
import branding from '../../cmd/diycmd/branding.json' with { type: 'json' };
import contact from '../../cmd/diycmd/contact.json' with { type: 'json' };
import catalogueData from '../../domain/catalogue/data/catalogue.json' with { type: 'json' };
import knownCurrencies from '../../domain/money/data/currencies.json' with { type: 'json' };
import type { Catalogue, Config, Currency } from '../src/api/types.ts';

/** The environment variables of the build. */
export interface BuildEnvironment {
  DIY_STRIPE_PUBLISHABLE_KEY?: string;
  DIY_SALES_EMAIL?: string;
  DIY_SALES_PHONE?: string;
}

/**
 * Returns config.json for a server that does not generate it: the constants of the product, and Stripe as the payment
 * provider. It declares no capabilities, so the app sends only the calls of the specification.
 */
export function staticConfig(environment: BuildEnvironment): Config {
  const currencies = catalogueData.currencies.map(currencyOf);
  const publishableKey = environment.DIY_STRIPE_PUBLISHABLE_KEY;
  return {
    catalogue: {
      plans: catalogueData.plans,
      rows: catalogueData.rows,
      taxes: catalogueData.taxes,
      prices: Object.fromEntries(
        Object.entries(catalogueData.prices).map(([plan, prices]) => [
          plan,
          pricesOf(prices, currencies),
        ]),
      ),
    },
    currencies,
    defaults: catalogueData.defaults as Config['defaults'],
    provider: { kind: 'stripe', ...(publishableKey && { publishableKey }) },
    contact: {
      email: environment.DIY_SALES_EMAIL || contact.email,
      phone: environment.DIY_SALES_PHONE || contact.phone,
    },
    branding,
    live: false,
    loginQuery: {},
  };
}

function currencyOf(code: string): Currency {
  const currency = knownCurrencies.find((entry) => entry.code === code);
  if (!currency) throw new Error(`${code} is not a known currency`);
  return { ...currency, rounding: minorUnitsOf(currency.rounding, currency.minor_digits) };
}

/** The prices of a plan in major units, by currency; null for none. */
type Prices = Record<string, { monthly: number | null; yearly: number | null }>;

const pricesOf = (prices: Prices, currencies: Currency[]) =>
  Object.fromEntries(
    currencies.map((currency) => {
      const { monthly = null, yearly = null } = prices[currency.code] ?? {};
      const toMinor = (amount: number | null) =>
        amount === null ? null : minorUnitsOf(amount, currency.minor_digits);
      return [currency.code, priceEntry(toMinor(monthly), toMinor(yearly), currency)];
    }),
  );

const monthsPerYear = 12;

/**
 * Returns a price with the figures that are displayed with it. domain/catalogue computes the same figures; both run
 * testdata/vectors/prices.json.
 */
export function priceEntry(
  monthly: number | null,
  yearly: number | null,
  { rounding }: Pick<Currency, 'rounding'>,
): Catalogue['prices'][string][string] {
  const annual = monthly === null ? null : monthly * monthsPerYear;
  const roundingStep = Math.max(rounding, 1);
  return {
    monthly,
    yearly,
    perMonth: {
      monthly,
      yearly:
        yearly === null ? null : divideRounded(yearly, monthsPerYear * roundingStep) * roundingStep,
    },
    annual: { monthly: annual, yearly },
    yearlySaving: annual === null || yearly === null ? 0 : savingPercentOf(annual, yearly),
  };
}

/** Returns the saving in percent, rounded down. It uses BigInt, because the product may exceed the safe integers. */
const savingPercentOf = (annual: number, yearly: number): number =>
  annual > yearly ? Number((BigInt(annual - yearly) * 100n) / BigInt(annual)) : 0;

/** Divides integers that are not negative and rounds half up. */
const divideRounded = (amount: number, divisor: number): number =>
  Math.floor((2 * amount + divisor) / (2 * divisor));

/** Converts an amount of the data files to minor units by its digits, because a number can't represent 0.05 exactly. */
function minorUnitsOf(amount: number, digits: number): number {
  const [whole = '', fraction = ''] = String(amount).split('.');
  if (fraction.length > digits) throw new Error(`${amount} has more than ${digits} decimals`);
  return Number(whole + fraction.padEnd(digits, '0'));
}

/**
 * Writes config.json beside the assets, for a back end that serves the built files and the calls of the
 * specification. The Go server generates config.json at the same path.
 */
export function writeStaticConfig(environment: BuildEnvironment): Plugin {
  return {
    name: 'static-config',
    apply: 'build',
    generateBundle() {
      const source = JSON.stringify(staticConfig(environment));
      this.emitFile({ type: 'asset', fileName: 'config.json', source });
    },
  };
}
