import { currencyInfo, runVectors, type VectorCurrency } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/money.json';
import { divide, format, formatWithSymbol } from './money';

interface MoneyCase {
  minor: number;
  divideBy: number;
  currency: VectorCurrency;
}

describe('divide, format and formatWithSymbol', () => {
  runVectors(vectors, ({ minor, divideBy, currency }: MoneyCase) => {
    const info = currencyInfo(currency);
    const part = divide(minor, divideBy, info);
    return { minor: part, text: format(part, info), withSymbol: formatWithSymbol(part, info) };
  });
});
