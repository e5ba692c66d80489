import { runVectors } from '@/testing/run-vectors';
import debugVectors from '../../../testdata/vectors/debug.json';
import vectors from '../../../testdata/vectors/mode.json';
import { initialSelection, isDebugOn, type PlansPageInput, plansPageMode } from './plans-page';

const soldCurrencies = ['USD', 'NZD', 'AUD', 'EUR', 'GBP'];

describe('plansPageMode and initialSelection', () => {
  runVectors(vectors, (input: PlansPageInput) => ({
    mode: plansPageMode(input),
    ...initialSelection(input, soldCurrencies, { interval: 'yearly', currency: 'AUD' }),
  }));

  it('initialSelection returns the fallback for a customer without currency and metadata', () => {
    const visitor = { loading: false, debug: true, live: false, license: null, pastLicense: null };
    const fallback = { interval: 'monthly', currency: 'NZD' } as const;
    expect(initialSelection({ ...visitor, customer: {} }, soldCurrencies, fallback)).toEqual({
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
