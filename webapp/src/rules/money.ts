/** The properties of a currency that the format of an amount depends on. */
interface CurrencyFormat {
  symbol_native: string;
  decimal_digits: number;
  minor_digits: number;
}

/**
 * Formats an amount in minor units with a minus sign (U+2212): "$39.50", "−$1,068". Decimals are omitted when the
 * amount is whole, unless `withDecimals` is set. The app only formats amounts; the server computes them.
 */
export function formatAmount(
  minor: number,
  currency: CurrencyFormat,
  withDecimals: boolean = false,
): string {
  const { symbol_native, decimal_digits: digits, minor_digits } = currency;
  // Intl.NumberFormat would do this, but browsers can lack it or refuse their own locale.
  const units = Math.round(Math.abs(minor) / 10 ** (minor_digits - digits));
  const [whole = '', fraction = ''] = decimalOf(units, digits).split('.');
  const figure = whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction && `.${fraction}`);
  const shortFigure = figure.replace(/\.0+$/, '');
  const sign = minor < 0 && shortFigure !== '0' ? '−' : '';
  return `${sign}${symbol_native}${withDecimals ? figure : shortFigure}`;
}

/** Whether an amount in minor units is not whole, so that all amounts of its block are written with decimals. */
export const needsDecimals = (minor: number, currency: CurrencyFormat): boolean =>
  currency.decimal_digits > 0 &&
  formatAmount(minor, currency) === formatAmount(minor, currency, true);

/** Converts minor units to a decimal string, 3950 to "39.50". A division would be inaccurate. */
export function decimalOf(minor: number, digits: number): `${number}` {
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const point = text.length - digits;
  const sign = minor < 0 ? '-' : '';
  return `${sign}${text.slice(0, point)}.${text.slice(point)}` as `${number}`;
}
