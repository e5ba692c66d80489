import { runVectors } from '@/testing/run-vectors';
import debugVectors from '../../../testdata/vectors/debug.json';
import vectors from '../../../testdata/vectors/mode.json';
import { debugOn, type ModeInput, modeOf, presetOf } from './mode';

const sold = ['USD', 'NZD', 'AUD', 'EUR', 'GBP'];

describe('modeOf and presetOf', () => {
  runVectors(vectors, (input: ModeInput) => ({
    mode: modeOf(input),
    ...presetOf(input, sold, { interval: 'yearly', currency: 'AUD' }),
  }));

  it('does without a currency or metadata on the customer', () => {
    const visitor = { loading: false, debug: true, live: false, license: null, pastLicense: null };
    const fallback = { interval: 'monthly', currency: 'NZD' } as const;
    expect(presetOf({ ...visitor, customer: {} }, sold, fallback)).toEqual({
      ...fallback,
      locked: false,
    });
  });
});

describe('debugOn', () => {
  runVectors(debugVectors, debugOn);

  it.each([
    ['', false],
    ['?debug', true],
    ['?debug=', true],
    ['?debug=false', false],
  ])('reads %j', (query, want) => {
    expect(debugOn(new URLSearchParams(query).get('debug'))).toBe(want);
  });
});
