// For tests only: nothing in the app imports this.
import { expect, it } from 'vitest';
import type { CurrencyInfo } from '@/rules/types';

interface Case<In, Want> {
  name: string;
  in: In;
  want: Want;
}

/** Runs one of testdata/vectors, the cases that Go runs too. */
export function runVectors<In, Want>(vectors: unknown, rule: (input: In) => Want): void {
  const cases = vectors as Case<In, Want>[];
  it('has cases', () => expect(cases.length).toBeGreaterThan(0));
  for (const { name, in: input, want } of cases) {
    it(name, () => expect(rule(input)).toStrictEqual(want));
  }
}

/** A currency as the vectors write it. */
export interface VectorCurrency {
  code: string;
  nativeSymbol: string;
  digits: number;
  minorDigits: number;
  rounding: number;
}

/** The same currency as config.json writes it. */
export function currencyInfo(currency: VectorCurrency): CurrencyInfo {
  return {
    code: currency.code,
    symbol_native: currency.nativeSymbol,
    decimal_digits: currency.digits,
    minor_digits: currency.minorDigits,
    rounding: currency.rounding,
  };
}
