import { get, post } from './client';
import type { BillingDetails, BillingEdit } from './types';

/** Returns the details that are printed on the organisation's invoices. */
export const getBillingDetails = () => get<BillingDetails>('/vc-admin/org/billing/details');

/** Changes the given details for the next invoices and returns all of them. */
export const editBillingDetails = (changes: BillingEdit) =>
  post<BillingDetails>('/vc-admin/org/billing/edit', changes);
