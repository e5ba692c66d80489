import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/mode.json';
import { type ModeInput, modeOf } from './mode';
import { presetOf } from './preset';

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
