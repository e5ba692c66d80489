/** The properties of a currency that displaying an amount needs. */
interface CurrencyFormat {
  symbol_native: string;
  decimal_digits: number;
  minor_digits: number;
}

/**
 * Formats an amount in minor units: "$39", "$39.50", "−$1,068", without decimals when it is whole and with a
 * minus sign (U+2212), or with all decimals. The app only formats amounts; the server computes them.
 */
export function formatAmount(
  minor: number,
  currency: CurrencyFormat,
  withDecimals: boolean = false,
): string {
  const { symbol_native, decimal_digits: digits, minor_digits } = currency;
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const decimals = format.format(decimalOf(Math.abs(minor), minor_digits));
  const whole = decimals.replace(/\.0+$/, '');
  const sign = minor < 0 && whole !== '0' ? '−' : '';
  return `${sign}${symbol_native}${withDecimals ? decimals : whole}`;
}

/** Converts minor units to a decimal string, 3950 to "39.50", without the inaccuracy of a division. */
export function decimalOf(minor: number, digits: number): `${number}` {
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const point = text.length - digits;
  const sign = minor < 0 ? '-' : '';
  return `${sign}${text.slice(0, point)}.${text.slice(point)}` as `${number}`;
}
