import vectors from '../../../testdata/vectors/money.json';
import { divide, format, formatWithSymbol } from './money';
import { runVectors } from './run-vectors';

interface MoneyCase {
  minor: number;
  divideBy: number;
  currency: {
    code: string;
    nativeSymbol: string;
    digits: number;
    minorDigits: number;
    rounding: number;
  };
}

describe('divide, format and formatWithSymbol', () => {
  runVectors(vectors, ({ minor, divideBy, currency }: MoneyCase) => {
    const info = {
      code: currency.code,
      symbol_native: currency.nativeSymbol,
      decimal_digits: currency.digits,
      minor_digits: currency.minorDigits,
      rounding: currency.rounding,
    };
    const part = divide(minor, divideBy, info);
    return { minor: part, text: format(part, info), withSymbol: formatWithSymbol(part, info) };
  });
});
