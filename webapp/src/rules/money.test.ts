import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/money.json';
import { formatAmount } from './money';

type Vector = (typeof vectors)[number];

/** The vectors without the division, which only Go computes. */
const amounts = vectors.map(({ name, in: { currency }, want }) => ({
  name,
  in: { minor: want.minor, currency },
  want: want.withSymbol,
}));

describe('formatAmount', () => {
  runVectors(
    amounts,
    ({ minor, currency }: Pick<Vector['want'], 'minor'> & Pick<Vector['in'], 'currency'>) =>
      formatAmount(minor, {
        symbol_native: currency.nativeSymbol,
        decimal_digits: currency.digits,
        minor_digits: currency.minorDigits,
      }),
  );
});
