import type { License, UserDetail } from '@/api';
import { upper } from '@/rules/text';
import type { PriceRef } from '@/rules/types';
import { priceIdOf } from './offer';

const paid = ['active', 'trialing'];

/** Whether the user's organisation has a license for this price, paid or on trial. */
export function isLicensedFor(ref: PriceRef, user: UserDetail | null): boolean {
  const license = user?.license ?? null;
  return license !== null && paid.includes(license.raw.status) && isPriceOfLicense(ref, license);
}

/** Whether a license is for this price, in any status. A license whose currency is not known matches each one. */
export function isPriceOfLicense(ref: PriceRef, { interval, currency, raw }: License): boolean {
  return (
    raw.metadata.name === ref.product &&
    interval === ref.interval &&
    (currency === '' || upper(currency) === ref.currency)
  );
}

/** Whether a license is for the plan and interval of a price's id, such as "professional_yearly". */
export const hasPriceId = ({ interval, raw }: License, priceId: string): boolean =>
  priceIdOf({ product: raw.metadata.name, interval }) === priceId;

/** The specified label of a trial, and those of other statuses in words that a customer uses. */
const statusTexts: Record<string, string> = {
  trialing: 'in-trial',
  past_due: 'payment overdue',
  canceled: 'ended',
  unpaid: 'ended',
  incomplete_expired: 'ended',
};

/** The label of a license status; one without a text of its own is shown with spaces. */
export function statusText(status: string): string {
  return statusTexts[status] ?? status.replaceAll('_', ' ');
}
