import type { ApiError, BillingDetails, BillingEdit } from '@/api';
import { serverMessageOf } from '@/lib/failure-message';
import { countryCode } from '@/rules/address';
import { type BillingDetailsForm, type DetailsField, detailsFields } from '@/rules/billing-details';
import { emailKey } from '@/rules/contact';
import { taxIdTypes, taxIdValue } from '@/rules/tax-id';
import { clean, removeInvisible, trim } from '@/rules/text';

/**
 * Returns the form with an organisation's details. The billing email is the one that was entered last, and a tax id
 * type is preselected.
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

/** Returns the form without the tax id type if there is no number: the preselected type alone is no tax id. */
export const withoutEmptyTaxId = (form: BillingDetailsForm): BillingDetailsForm =>
  trim(removeInvisible(form.taxValue)) === '' ? { ...form, taxType: '', taxValue: '' } : form;

/** Converts a form to details, also while it is not valid yet. */
export function detailsOf(input: BillingDetailsForm): BillingDetails {
  const form = withoutEmptyTaxId(input);
  return {
    legalName: clean(form.legalName),
    billingEmail: emailKey(form.billingEmail),
    phone: trim(removeInvisible(form.phone)),
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

/** Returns the details that differ from the stored ones. */
export function editOf(form: BillingDetailsForm, storedDetails: BillingDetails): BillingEdit {
  // Both pass through the form's format, so that their keys have the same order.
  const stored = detailsOf(formOf(storedDetails));
  const changes = Object.entries(detailsOf(form)).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(stored[name as keyof BillingDetails]),
  );
  return Object.fromEntries(changes);
}

/** Returns the messages of a failed edit by field, and a general message if no field has one. */
export function failureOf(error: ApiError) {
  const { fields } = error;
  const invalidFields = detailsFields.filter((field) => fields[field]);
  return {
    fields: invalidFields.map((field): [DetailsField, string] => [field, fields[field] ?? '']),
    message: invalidFields.length > 0 ? '' : serverMessageOf(error),
  };
}
