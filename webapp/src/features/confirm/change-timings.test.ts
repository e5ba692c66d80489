import type { License } from '@/api';
import { offerOf, type PricedOffer } from '@/modules/billing/offer';
import { aConfig, aLicense, capabilitiesWithout, fullProvider } from '@/testing/fixtures';
import { possibleTimings } from './change-timings';

const config = aConfig({
  provider: { ...fullProvider, capabilities: capabilitiesWithout('change_now_cheaper') },
});
const offer = (product: string, interval: string) =>
  offerOf(config, { product, interval, currency: 'AUD' }) as PricedOffer;

/** Returns a license of the Standard plan with this price. */
const aStandardLicense = (amount: number | null, interval: License['interval'] = 'yearly') =>
  aLicense({ interval, price: amount === null ? null : { amount, perMonth: 0, annual: 0 } });

describe('possibleTimings of a provider that can’t change to a cheaper plan now', () => {
  it.each([
    [
      'a higher price',
      offer('professional', 'yearly'),
      aStandardLicense(42_000),
      ['now', 'renewal'],
    ],
    ['a lower price', offer('professional', 'yearly'), aStandardLicense(90_000), ['renewal']],
    ['the same price', offer('professional', 'yearly'), aStandardLicense(81_600), ['renewal']],
    [
      'a price above the catalogue price of a license without a price',
      offer('professional', 'yearly'),
      aStandardLicense(null),
      ['now', 'renewal'],
    ],
    ['a shorter interval', offer('professional', 'monthly'), aStandardLicense(42_000), ['renewal']],
    [
      'a longer interval',
      offer('standard', 'yearly'),
      aStandardLicense(7_600, 'monthly'),
      ['now', 'renewal'],
    ],
  ])('includes now for a higher price or a longer interval: %s', (_, target, license, timings) => {
    const currentOffer = offer('standard', license.interval);
    expect(possibleTimings({ target, currentOffer, license, config })).toEqual(timings);
  });

  it('uses the price of the license when its plan is no longer in the catalogue', () => {
    const target = offer('professional', 'yearly');
    const license = aStandardLicense(90_000);
    expect(possibleTimings({ target, currentOffer: null, license, config })).toEqual(['renewal']);
  });
});
