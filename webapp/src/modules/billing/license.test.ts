import { aLicense, aUser } from '@/testing/fixtures';
import { isLicensedFor } from './license';

const ref = { product: 'standard', interval: 'yearly', currency: 'AUD' } as const;
const licensedUser = (status: 'active' | 'trialing' | 'past_due') => {
  const license = aLicense();
  return aUser({ license: { ...license, raw: { ...license.raw, status } } });
};

describe('isLicensedFor', () => {
  it.each(['active', 'trialing'] as const)(
    'is true for the same price in the status %s',
    (status) => {
      expect(isLicensedFor(ref, licensedUser(status))).toBe(true);
    },
  );

  it('is false in the status past_due', () => {
    expect(isLicensedFor(ref, licensedUser('past_due'))).toBe(false);
  });

  it.each([
    { ...ref, product: 'professional' },
    { ...ref, interval: 'monthly' as const },
    { ...ref, currency: 'USD' },
  ])('is false for another price: %j', (otherPrice) =>
    expect(isLicensedFor(otherPrice, licensedUser('active'))).toBe(false),
  );

  it('is false without a license or a user', () => {
    expect(isLicensedFor(ref, aUser())).toBe(false);
    expect(isLicensedFor(ref, null)).toBe(false);
  });
});
