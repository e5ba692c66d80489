import type { OpenPayment } from '@/api';
import { readItem, writeItem } from '@/lib/storage';

/** The key under which session storage keeps the last failure before the customer left for the provider's page. */
const storageKey = 'failureBeforePage';

const failureOf = ({ reason, failedAt = '' }: Pick<OpenPayment, 'reason' | 'failedAt'>): string =>
  `${failedAt} ${reason}`;

/** Stores the last failure of the open payment before the customer leaves for the provider's page. */
export const rememberFailure = (payment: OpenPayment | null | undefined): void =>
  writeItem('sessionStorage', storageKey, payment ? failureOf(payment) : '');

/**
 * Whether the last failure happened after the customer left for the provider's page. An earlier one says nothing about the
 * payment on the page.
 */
export const isNewFailure = (payment: OpenPayment): boolean =>
  readItem('sessionStorage', storageKey) !== failureOf(payment);
