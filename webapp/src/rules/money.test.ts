import { runVectors } from '@/testing/run-vectors';
import blockVectors from '../../../testdata/vectors/amount-block.json';
import vectors from '../../../testdata/vectors/money.json';
import { formatAmount, needsDecimals } from './money';

type Vector = (typeof vectors)[number];

/** The vectors without the division, which only Go computes. */
const amounts = vectors.map(({ name, in: { currency }, want }) => ({
  name,
  in: { minor: want.minor, currency },
  want: want.withSymbol,
}));

const formatOf = (currency: Vector['in']['currency']) => ({
  symbol_native: currency.nativeSymbol,
  decimal_digits: currency.digits,
  minor_digits: currency.minorDigits,
});

describe('formatAmount', () => {
  runVectors(
    amounts,
    ({ minor, currency }: Pick<Vector['want'], 'minor'> & Pick<Vector['in'], 'currency'>) =>
      formatAmount(minor, formatOf(currency)),
  );
});

describe('needsDecimals', () => {
  runVectors(blockVectors, ({ minors, currency }: (typeof blockVectors)[number]['in']) => {
    const format = formatOf(currency);
    const withDecimals = minors.some((minor) => needsDecimals(minor, format));
    return minors.map((minor) => formatAmount(minor, format, withDecimals));
  });
});
