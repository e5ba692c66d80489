import type { ApiError, BillingDetails, BillingEdit } from '@/api';
import { serverMessageOf } from '@/lib/failure-message';
import { countryCode } from '@/rules/address';
import { type BillingDetailsForm, type DetailsField, detailsFields } from '@/rules/billing-details';
import { cleanCode, cleanPhone, cleanPostalCode, normalizeEmail } from '@/rules/codes';
import { taxIdMessage, taxIdText, taxIdTypes, taxIdValue } from '@/rules/tax-id';
import { clean } from '@/rules/text';

/**
 * Converts details to a form. An unconfirmed billing email takes precedence over the confirmed one, and a tax id type
 * of the country is preselected.
 */
export function formOf(details: BillingDetails): BillingDetailsForm {
  const { address, taxId, unconfirmedEmail, ...textFields } = details;
  return {
    ...textFields,
    billingEmail: unconfirmedEmail || textFields.billingEmail,
    country: address.country,
    state: address.state,
    line1: address.line1,
    line2: address.line2 ?? '',
    district: address.city,
    pincode: address.postal_code,
    taxType: taxId?.type ?? taxIdTypes(address.country)[0] ?? '',
    taxValue: taxId ? taxIdText(taxId) : '',
  };
}

/** Returns the form without its tax id type if the number is empty, because the type may be preselected. */
export const withoutEmptyTaxId = (form: BillingDetailsForm): BillingDetailsForm =>
  cleanCode(form.taxValue) === '' ? { ...form, taxType: '', taxValue: '' } : form;

/** Converts a form to details. The form may be invalid. */
function detailsOf(values: BillingDetailsForm): BillingDetails {
  const form = withoutEmptyTaxId(values);
  return {
    legalName: clean(form.legalName),
    billingEmail: normalizeEmail(form.billingEmail),
    phone: cleanPhone(form.phone),
    purchaseOrder: clean(form.purchaseOrder),
    address: {
      line1: clean(form.line1),
      line2: clean(form.line2),
      country: countryCode(form.country),
      state: clean(form.state),
      postal_code: cleanPostalCode(form.pincode),
      city: clean(form.district),
    },
    taxId: form.taxType
      ? { type: form.taxType, value: taxIdValue(form.taxType, form.taxValue) }
      : null,
    ...(form.attachPdf !== undefined && { attachPdf: form.attachPdf }),
  };
}

/** Returns the details that are previewed: those of the form, without an invalid tax id. */
export function previewOf(form: BillingDetailsForm, isTaxIdRefused: boolean): BillingDetails {
  const details = detailsOf(form);
  const { taxId, address } = details;
  const isValid =
    taxId && !isTaxIdRefused && !taxIdMessage(taxId.type, taxId.value, address.country);
  return isValid ? details : { ...details, taxId: null };
}

/** Returns the details in the form that differ from the stored details. */
export function changedDetails(
  form: BillingDetailsForm,
  storedDetails: BillingDetails,
): BillingEdit {
  // Both sides are converted in the same way, so that they have the same normalisation and order of keys.
  const normalizedDetails = detailsOf(formOf(storedDetails));
  const changes = Object.entries(detailsOf(form)).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(normalizedDetails[name as keyof BillingDetails]),
  );
  return Object.fromEntries(changes);
}

/** Returns the server's messages for the fields of the form, or its general message if it has none for a field. */
export function formErrorsOf(error: ApiError) {
  const { fields } = error;
  const invalidFields = detailsFields.filter((field) => fields[field]);
  return {
    fields: invalidFields.map((field): [DetailsField, string] => [field, fields[field] ?? '']),
    message: invalidFields.length > 0 ? '' : serverMessageOf(error),
  };
}
