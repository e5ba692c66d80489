import type { CurrencyInfo } from './types';

/** `minor` divided into n parts, rounded to what the currency can pay; a half goes away from 0. */
export function divide(minor: number, n: number, currency: CurrencyInfo): number {
  const step = Math.max(currency.rounding, 1);
  return quotient(minor, n * step) * step || 0;
}

/**
 * The amount the way people are shown it: without decimals when none is needed ("39"), with all
 * the currency shows otherwise ("39.50"), and no separator between thousands.
 */
export function format(minor: number, currency: CurrencyInfo): string {
  const { decimal_digits: digits, minor_digits } = currency;
  const shown = quotient(minor, 10 ** (minor_digits - digits));
  const text = String(Math.abs(shown)).padStart(digits + 1, '0');
  const point = text.length - digits;
  const decimals = text.slice(point);
  const sign = shown < 0 ? '-' : '';
  return sign + text.slice(0, point) + (/[1-9]/.test(decimals) ? `.${decimals}` : '');
}

/** `format` with the native symbol directly before the number; a minus stands before the symbol. */
export function formatWithSymbol(minor: number, currency: CurrencyInfo): string {
  const text = format(minor, currency);
  const symbol = currency.symbol_native;
  return text.startsWith('-') ? `-${symbol}${text.slice(1)}` : symbol + text;
}

/**
 * The nearest whole number to a/b, the half away from zero. Only whole numbers come up on the way:
 * the remainder is taken off before dividing, so nothing is ever rounded by the machine.
 */
function quotient(a: number, b: number): number {
  const dividend = Math.abs(a);
  const rest = dividend % b;
  const whole = (dividend - rest) / b + (rest >= b - rest ? 1 : 0);
  return a < 0 && whole > 0 ? -whole : whole;
}
