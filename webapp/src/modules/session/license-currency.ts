import type { Customer, License, UserDetail } from '@/api';

/** Returns the user with the customer's currency in licenses that have none; it may be unknown too. */
export function withCurrency(user: UserDetail, customer: Customer | null): UserDetail {
  const currency = customer?.currency || customer?.metadata.currency || '';
  const complete = (license: License | null) =>
    license && { ...license, currency: license.currency || currency };
  return {
    ...user,
    license: complete(user.license),
    pastLicense: complete(user.pastLicense),
  };
}
