import { get, post } from './client';
import type { BillingDetails, BillingEdit } from './types';

/** What the organisation's invoices are addressed to. */
export const getBillingDetails = () => get<BillingDetails>('/vc-admin/org/billing/details');

/** Changes the given details, from the next invoice on, and returns all of them. */
export const editBillingDetails = (changes: BillingEdit) =>
  post<BillingDetails>('/vc-admin/org/billing/edit', changes);
