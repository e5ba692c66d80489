import { aConfig } from '@/testing/fixtures';
import { offerOf } from './offer';

const config = aConfig();
const choice = { product: 'professional', interval: 'yearly', currency: 'AUD' };

describe('offerOf', () => {
  it('returns plan and price, also for a currency code in lower case', () => {
    const offer = offerOf(config, { ...choice, currency: 'aud' });
    expect(offer).toMatchObject({
      plan: { displayName: 'Professional' },
      priceRef: choice,
      price: { amount: 81_600, currency: { code: 'AUD' } },
    });
  });

  it.each([
    ['a plan without prices', { product: 'enterprise' }],
    ['a currency that is not supported', { currency: 'XXX' }],
  ])('has no price for %s', (_name, changes) => {
    expect(offerOf(config, { ...choice, ...changes })?.price).toBeNull();
  });

  it('has no price for a disabled plan', () => {
    const plans = config.catalogue.plans.map((plan) => ({ ...plan, disabled: true }));
    const offer = offerOf({ ...config, catalogue: { ...config.catalogue, plans } }, choice);
    expect(offer?.price).toBeNull();
  });

  it.each([{ product: 'gold' }, { interval: 'weekly' }])('returns null for %j', (changes) => {
    expect(offerOf(config, { ...choice, ...changes })).toBeNull();
  });
});
