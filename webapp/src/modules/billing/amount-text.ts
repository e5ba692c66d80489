import type { Config, Currency, Money } from '@/api';
import { upper } from '@/rules/letter-case';
import { decimalOf, formatAmount } from '@/rules/money';

/** An amount in minor units with the properties of its currency. */
export interface Price {
  amount: number;
  currency: Currency;
}

type Currencies = Pick<Config, 'currencies'>;

/** Returns the currency with this code in any case; undefined if the catalogue does not have it. */
export const findCurrency = ({ currencies }: Currencies, code: string): Currency | undefined =>
  currencies.find((currency) => currency.code === upper(code));

/** Formats an amount with its currency code, "$816 AUD", because several currencies share a symbol. */
export function priceText({ amount, currency }: Price): string {
  return `${formatAmount(amount, currency)} ${currency.code}`;
}

/** Formats an amount with its currency code, also in a currency that is no longer in the catalogue. */
export function amountText(
  config: Currencies,
  { amount, currency: code }: { amount: number; currency: string },
): string {
  const currency = findCurrency(config, code);
  if (currency) return priceText({ amount, currency });
  const format = new Intl.NumberFormat('en-AU', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'code',
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(decimalOf(amount, digits)).replace('-', '−');
}

/** Returns an amount and its currency code, to show them in different sizes. The code is empty if the amount contains it. */
export function amountParts(config: Currencies, amount: Money): { figure: string; code: string } {
  const { code = '' } = findCurrency(config, amount.currency) ?? {};
  return { figure: symbolText(config, amount), code };
}

/** Formats an amount without currency code, for lines above a total that has it: "−$322.80". */
export function symbolText(config: Currencies, amount: Money): string {
  const currency = findCurrency(config, amount.currency);
  return currency ? formatAmount(amount.amount, currency) : amountText(config, amount);
}

/**
 * Returns a function that formats the amounts of a column without currency code. All amounts have decimals if one
 * of them needs decimals, so that they align.
 */
export function columnFormat(
  config: Currencies,
  code: string,
  column: number[],
): (minor: number) => string {
  const currency = findCurrency(config, code);
  if (!currency) return (amount) => amountText(config, { amount, currency: code });
  const isWhole = (minor: number) => /\.0+$|^-?\d+$/.test(decimalOf(minor, currency.minor_digits));
  const needsDecimals = !column.every(isWhole);
  return (minor) => formatAmount(minor, currency, needsDecimals);
}

/** Returns the display text of a billing interval. */
export function perInterval(interval: string): string {
  return interval === 'yearly' ? 'per year' : 'per month';
}
