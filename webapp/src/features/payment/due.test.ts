import { offerOf } from '@/lib/offer';
import { aConfig } from '@/testing/fixtures';
import { chargeOf, chargeText } from './due';

const choice = { product: 'standard', interval: 'monthly', currency: 'GBP' };
const offer = offerOf(aConfig(), choice);
const now = new Date('2026-11-20T10:00:00Z');

function charge(trialUsed: boolean) {
  if (!offer?.price) throw new Error('no offer');
  return chargeOf(offer, offer.price, { trialUsed, now });
}

describe('the first charge', () => {
  it('is due at the end of the trial', () => {
    expect(charge(false)).toEqual({
      amount: 2_200,
      at: new Date('2026-11-27T10:00:00Z'),
      trialDays: 7,
    });
    expect(chargeText(charge(false))).toBe(
      'Your card will be charged after the free trial period.',
    );
  });

  it('is due now when the trial was used', () => {
    expect(charge(true)).toEqual({ amount: 2_200, at: null, trialDays: 0 });
    expect(chargeText(charge(true))).toBe('Your subscription will start now.');
  });
});
