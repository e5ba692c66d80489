import { describe, expect, it } from 'vitest';
import type { License } from '@/api';
import { offerOf, type PricedOffer } from '@/modules/billing/offer';
import { aConfig, aLicense, capabilitiesWithout, fullProvider } from '@/testing/fixtures';
import { whenOptions } from './when';

const settings = aConfig({
  provider: { ...fullProvider, capabilities: capabilitiesWithout('change_now_cheaper') },
});
const offer = (product: string, interval: string) =>
  offerOf(settings, { product, interval, currency: 'AUD' }) as PricedOffer;

/** A license of the standard plan with the price that its customer pays. */
const paying = (amount: number | null, interval: License['interval'] = 'yearly') =>
  aLicense({ interval, price: amount === null ? null : { amount, perMonth: 0, annual: 0 } });

describe('the times of a change where the provider makes none for which nothing is due', () => {
  it.each([
    ['a higher price', offer('professional', 'yearly'), paying(42_000), ['now', 'renewal']],
    ['less than the own price', offer('professional', 'yearly'), paying(90_000), ['renewal']],
    ['exactly the own price', offer('professional', 'yearly'), paying(81_600), ['renewal']],
    [
      'a higher price in the catalogue',
      offer('professional', 'yearly'),
      paying(null),
      ['now', 'renewal'],
    ],
    ['a shorter interval', offer('professional', 'monthly'), paying(42_000), ['renewal']],
    [
      'a longer interval',
      offer('standard', 'yearly'),
      paying(7_600, 'monthly'),
      ['now', 'renewal'],
    ],
  ])('are right for %s', (_, to, license, expected) => {
    const from = offer('standard', license.interval);
    expect(whenOptions({ to, from, license, config: settings })).toEqual(expected);
  });

  it('depend on the own price if the plan is no longer in the catalogue', () => {
    const to = offer('professional', 'yearly');
    const license = paying(90_000);
    expect(whenOptions({ to, from: null, license, config: settings })).toEqual(['renewal']);
  });
});
