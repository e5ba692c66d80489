import type { Config, Currency, Money } from '@/api';
import { formatCurrency } from '@/lib/intl/currency-format';
import type { ScreenConfig } from '@/modules/config/config-store';
import { hasDecimals, showDecimals } from '@/modules/config/screen-decimals';
import { asciiUpper } from '@/rules/letter-case';
import { decimalOf, formatAmount, needsDecimals } from '@/rules/money';

/** An amount in minor units with the properties of its currency. */
export interface Price {
  amount: number;
  currency: Currency;
}

/** The properties of the configuration that the format of amounts depends on. */
type AmountConfig = Pick<ScreenConfig, 'currencies' | 'pathWithDecimals'>;

/** Returns the currency with this code in any case, or undefined if the catalogue does not have it. */
export const findCurrency = (
  { currencies }: Pick<Config, 'currencies'>,
  code: string,
): Currency | undefined => currencies.find((currency) => currency.code === asciiUpper(code));

/** Formats an amount with its currency code, "$816 AUD", because several currencies share a symbol. */
export const priceText = (config: AmountConfig, { amount, currency }: Price): string =>
  amountText(config, { amount, currency: currency.code });

/** Formats an amount with its currency code, also in a currency that is no longer in the catalogue. */
export function amountText(
  config: AmountConfig,
  amount: Money,
  withDecimals: boolean = false,
): string {
  const currency = findCurrency(config, amount.currency);
  const text = symbolText(config, amount, withDecimals);
  return currency ? `${text} ${currency.code}` : text;
}

/**
 * Formats an amount without currency code, for lines above a total that has it: "−$322.80". All amounts of a screen have
 * decimals if one of them has.
 */
export function symbolText(
  config: AmountConfig,
  { amount, currency: code }: Money,
  withDecimals: boolean = false,
): string {
  const currency = findCurrency(config, code);
  if (!currency) {
    showDecimals(config);
    return formatCurrency(code, (digits) => decimalOf(amount, digits)).replace('-', '−');
  }
  if (withDecimals || needsDecimals(amount, currency)) showDecimals(config);
  return formatAmount(amount, currency, withDecimals || hasDecimals(config));
}

/** Formats amounts that are shown together, such as those of a list, a table or a summary. */
export interface AmountFormat {
  /** Like the function `symbolText`: "$816.00". */
  symbolText: (amount: Money) => string;
  /** Like the function `amountText`: "$816.00 AUD". */
  amountText: (amount: Money) => string;
}

/** Returns the format of these amounts when they are shown together: all have decimals if one of them needs decimals. */
export function amountFormat(
  config: AmountConfig,
  amounts: readonly (Money | null | undefined)[],
): AmountFormat {
  const withDecimals = amounts.some((amount) => {
    const currency = amount && findCurrency(config, amount.currency);
    return currency ? needsDecimals(amount.amount, currency) : false;
  });
  return {
    symbolText: (amount) => symbolText(config, amount, withDecimals),
    amountText: (amount) => amountText(config, amount, withDecimals),
  };
}

/** Returns the display text of a billing interval; empty for an interval that the catalogue does not have. */
export function perInterval(interval: string): string {
  if (!interval) return '';
  return interval === 'yearly' ? 'per year' : 'per month';
}
