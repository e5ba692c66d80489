import { aLicense, aUser } from '@/testing/fixtures';
import { isLicensedFor } from './license';

const ref = { product: 'standard', interval: 'yearly', currency: 'AUD' } as const;
const license = (status: 'active' | 'trialing' | 'past_due') => {
  const made = aLicense();
  return aUser({ license: { ...made, raw: { ...made.raw, status } } });
};

describe('isLicensedFor', () => {
  it.each(['active', 'trialing'] as const)('is true for the same price, %s', (status) => {
    expect(isLicensedFor(ref, license(status))).toBe(true);
  });

  it('is false when it is not paid', () => {
    expect(isLicensedFor(ref, license('past_due'))).toBe(false);
  });

  it.each([
    { ...ref, product: 'professional' },
    { ...ref, interval: 'monthly' as const },
    { ...ref, currency: 'USD' },
  ])('is false for %j', (other) => expect(isLicensedFor(other, license('active'))).toBe(false));

  it('is false without a license or a user', () => {
    expect(isLicensedFor(ref, aUser())).toBe(false);
    expect(isLicensedFor(ref, null)).toBe(false);
  });
});
