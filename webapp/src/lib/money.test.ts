import { formatAmount } from './money';

const dollar = { symbol_native: '$', decimal_digits: 2, minor_digits: 2 };
const yen = { symbol_native: '¥', decimal_digits: 0, minor_digits: 0 };
const forint = { symbol_native: 'Ft', decimal_digits: 0, minor_digits: 2 };
const dinar = { symbol_native: 'KD', decimal_digits: 3, minor_digits: 3 };

describe('formatAmount', () => {
  it.each([
    [0, dollar, '$0'],
    [3_900, dollar, '$39'],
    [3_950, dollar, '$39.50'],
    [5, dollar, '$0.05'],
    [-32_280, dollar, '-$322.80'],
    [81_600_000, dollar, '$816000'],
    [9_007_199_254_740_991, dollar, '$90071992547409.91'],
    [4_200, yen, '¥4200'],
    [123_450, forint, 'Ft1235'],
    [-40, forint, 'Ft0'],
    [14_500, dinar, 'KD14.500'],
  ] as const)('of %d minor units', (minor, currency, want) => {
    expect(formatAmount(minor, currency)).toBe(want);
  });
});
