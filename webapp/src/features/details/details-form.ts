import type { ApiError, BillingDetails, BillingEdit } from '@/api';
import { serverMessageOf } from '@/lib/failure-message';
import { countryCode } from '@/rules/address';
import { type BillingDetailsForm, type DetailsField, detailsFields } from '@/rules/billing-details';
import { emailKey } from '@/rules/contact';
import { taxIdTypes, taxIdValue } from '@/rules/tax-id';
import { clean, trim, visible } from '@/rules/text';

/**
 * Returns the form values of an organisation's details: with the billing email that was entered last, and a
 * preselected tax id type.
 */
export function formOf(details: BillingDetails): BillingDetailsForm {
  const { address, taxId, unconfirmedEmail, ...text } = details;
  return {
    ...text,
    billingEmail: unconfirmedEmail || text.billingEmail,
    country: address.country,
    state: address.state,
    line1: address.line1,
    line2: address.line2 ?? '',
    district: address.city,
    pincode: address.postal_code,
    taxType: taxId?.type ?? taxIdTypes(address.country)[0] ?? '',
    taxValue: taxId?.value ?? '',
  };
}

/** Returns the form without the tax id type when there is no number, for validation and submission. */
export const withoutEmptyTaxId = (form: BillingDetailsForm): BillingDetailsForm =>
  trim(visible(form.taxValue)) === '' ? { ...form, taxType: '', taxValue: '' } : form;

/** Converts a form to details, also while it is not valid yet. */
export function detailsOf(typed: BillingDetailsForm): BillingDetails {
  const form = withoutEmptyTaxId(typed);
  return {
    legalName: clean(form.legalName),
    billingEmail: emailKey(form.billingEmail),
    phone: trim(visible(form.phone)),
    purchaseOrder: clean(form.purchaseOrder),
    address: {
      line1: clean(form.line1),
      line2: clean(form.line2),
      country: countryCode(form.country),
      state: clean(form.state),
      postal_code: clean(form.pincode),
      city: clean(form.district),
    },
    taxId: form.taxType
      ? { type: form.taxType, value: taxIdValue(form.taxType, form.taxValue) }
      : null,
  };
}

/** Returns the details that the form changes. */
export function editOf(form: BillingDetailsForm, before: BillingDetails): BillingEdit {
  const after = detailsOf(form);
  // Both are compared in the form's format, because the order of the keys may differ.
  const previous = detailsOf(formOf(before));
  const changed = Object.entries(after).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(previous[name as keyof BillingDetails]),
  );
  return Object.fromEntries(changed);
}

/** Returns the messages of a refused edit by field, and the one that belongs to no field. */
export function failureOf(error: ApiError) {
  const { fields } = error;
  const invalidFields = detailsFields.filter((field) => fields[field]);
  return {
    fields: invalidFields.map((field): [DetailsField, string] => [field, fields[field] ?? '']),
    message: invalidFields.length > 0 ? '' : serverMessageOf(error),
  };
}
