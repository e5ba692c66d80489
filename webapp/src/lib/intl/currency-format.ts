import { firstResult } from './locales';

/** Currencies whose minor unit is not a hundredth, for browsers without Intl.NumberFormat. */
const wholeCurrencies = /^(BIF|CLP|DJF|GNF|JPY|KMF|KRW|MGA|PYG|RWF|UGX|VND|VUV|XAF|XOF|XPF)$/;
const thousandthCurrencies = /^(BHD|JOD|KWD|OMR|TND)$/;

/**
 * Formats an amount with its currency code: "AUD 816.00". `decimalOf` returns the amount as a decimal with this number of
 * digits.
 */
export function formatCurrency(code: string, decimalOf: (digits: number) => `${number}`): string {
  const text = firstResult(['en-AU'], (locale) => {
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: code,
      currencyDisplay: 'code',
    });
    return format.format(decimalOf(format.resolvedOptions().maximumFractionDigits ?? 2));
  });
  if (text !== undefined) return text;
  const upperCode = code.toUpperCase();
  const digits = wholeCurrencies.test(upperCode) ? 0 : thousandthCurrencies.test(upperCode) ? 3 : 2;
  return `${upperCode}\u00a0${decimalOf(digits).replace(/\.$/, '')}`;
}
