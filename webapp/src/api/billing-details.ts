import { get, post } from './client';
import { acknowledgement, flag, nullable, object, optional, text } from './decode';
import type { BillingDetails, BillingEdit } from './types';

/** Returns the details that are printed on the organisation's invoices. */
export const getBillingDetails = () => get('/vc-admin/org/billing/details', details);

/** Changes the given details for the next invoices and returns all of them. */
export const editBillingDetails = (changes: BillingEdit) =>
  post('/vc-admin/org/billing/edit', details, changes);

/**
 * Sends a new confirmation link to this address. Without an address, sends it to the billing email that is not
 * confirmed yet.
 */
export const resendBillingEmail = (email?: string) =>
  post('/vc-admin/org/billing/email/resend', acknowledgement, email ? { email } : undefined);

export const address = object<BillingDetails['address']>({
  line1: text,
  line2: optional(text),
  country: text,
  state: text,
  postal_code: text,
  city: text,
});

export const taxId = nullable(object({ type: text, value: text }));

export const details = object<BillingDetails>({
  legalName: text,
  billingEmail: text,
  unconfirmedEmail: optional(text),
  phone: text,
  purchaseOrder: text,
  address,
  taxId,
  attachPdf: optional(flag),
  emailPreferencesToken: optional(text),
});
