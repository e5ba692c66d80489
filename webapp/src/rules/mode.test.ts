import { runVectors } from '@/testing/run-vectors';
import debugVectors from '../../../testdata/vectors/debug.json';
import vectors from '../../../testdata/vectors/mode.json';
import { isDebugOn, modeOf, type PlansPageInput, presetOf } from './mode';

const soldCurrencies = ['USD', 'NZD', 'AUD', 'EUR', 'GBP'];

describe('modeOf and presetOf', () => {
  runVectors(vectors, (input: PlansPageInput) => ({
    mode: modeOf(input),
    ...presetOf(input, soldCurrencies, { interval: 'yearly', currency: 'AUD' }),
  }));

  it('presetOf returns the fallback for a customer without currency and metadata', () => {
    const visitor = { loading: false, debug: true, live: false, license: null, pastLicense: null };
    const fallback = { interval: 'monthly', currency: 'NZD' } as const;
    expect(presetOf({ ...visitor, customer: {} }, soldCurrencies, fallback)).toEqual({
      ...fallback,
      locked: false,
    });
  });
});

describe('isDebugOn', () => {
  runVectors(debugVectors, isDebugOn);

  it.each([
    ['', false],
    ['?debug', true],
    ['?debug=', true],
    ['?debug=false', false],
  ])('for the query %j is %j', (query, want) => {
    expect(isDebugOn(new URLSearchParams(query).get('debug'))).toBe(want);
  });
});
