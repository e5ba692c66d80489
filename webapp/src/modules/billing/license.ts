import type { License, UserDetail } from '@/api';
import { asciiUpper } from '@/rules/letter-case';
import type { PriceRef } from '@/rules/types';

/** Whether a subscription with this status is paid or on trial. */
export const isPaidOrOnTrial = (status: string): boolean => ['active', 'trialing'].includes(status);

/** Whether the user's organisation has a license for this price that is paid or on trial. */
export function isLicensedFor(ref: PriceRef, user: UserDetail | null): boolean {
  const license = user?.license ?? null;
  return license !== null && isPaidOrOnTrial(license.raw.status) && isPriceOfLicense(ref, license);
}

/** Whether a license in any status is for this price. A license of an unknown currency matches every currency. */
export function isPriceOfLicense(ref: PriceRef, { interval, currency, raw }: License): boolean {
  return (
    raw.metadata.name === ref.product &&
    interval === ref.interval &&
    (currency === '' || asciiUpper(currency) === ref.currency)
  );
}
