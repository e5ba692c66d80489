import type { Currency } from '@/api';

/** The properties of a currency that displaying an amount needs. */
export type CurrencyFormat = Pick<Currency, 'symbol_native' | 'decimal_digits' | 'minor_digits'>;

/**
 * An amount as it is displayed: "$39", "$39.50", "-$39"; without decimals when it is whole, and
 * without separators between thousands. Amounts are whole minor units and are never calculated
 * with here: the server reports every figure.
 */
export function formatAmount(minor: number, currency: CurrencyFormat): string {
  const { symbol_native, decimal_digits: digits, minor_digits } = currency;
  const format = new Intl.NumberFormat('en', {
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const text = format.format(decimalOf(Math.abs(minor), minor_digits)).replace(/\.0+$/, '');
  return `${minor < 0 && text !== '0' ? '-' : ''}${symbol_native}${text}`;
}

/** Minor units as a decimal number in digits, "3950" as "39.50": exact, unlike a division. */
export function decimalOf(minor: number, digits: number): `${number}` {
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const point = text.length - digits;
  const sign = minor < 0 ? '-' : '';
  return `${sign}${text.slice(0, point)}.${text.slice(point)}` as `${number}`;
}
