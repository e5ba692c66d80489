import { type Address, addressFields, addressRules, countryCode, fieldRule } from './address';
import { normalizeEmail } from './codes';
import { checkEmail, checkPhone } from './contact';
import { invalidOnly } from './messages';
import { taxIdMessage } from './tax-id';
import { type CheckResult, checkText, clean, length } from './text';

/** The values of the billing details form. Without a tax type there is no tax id. */
export interface BillingDetailsForm extends Address {
  legalName: string;
  billingEmail: string;
  phone: string;
  purchaseOrder: string;
  taxType: string;
  taxValue: string;
  /** Whether emails about invoices have a PDF; undefined for a server without this setting. */
  attachPdf?: boolean | undefined;
}

/** The fields with messages, in the form's order. The tax id is one field with two inputs. */
export const detailsFields = [
  'legalName',
  'billingEmail',
  'phone',
  'purchaseOrder',
  ...addressFields,
  'taxId',
] as const;

export type DetailsField = (typeof detailsFields)[number];

const maxPurchaseOrderLength = 140;

const rules: Record<DetailsField, (form: BillingDetailsForm) => string> = {
  legalName: ({ legalName }) => fieldRule('legalName', checkText)(legalName),
  billingEmail: ({ billingEmail }) =>
    normalizeEmail(billingEmail) && fieldRule('billingEmail', checkEmail)(billingEmail),
  phone: ({ phone }) => fieldRule('contact', checkPhone)(phone),
  purchaseOrder: ({ purchaseOrder }) =>
    fieldRule('purchaseOrder', checkPurchaseOrder)(purchaseOrder),
  country: ({ country }) => addressRules.country(country),
  state: ({ state }) => addressRules.state(state),
  line1: ({ line1 }) => addressRules.line1(line1),
  line2: ({ line2 }) => addressRules.line2(line2),
  district: ({ district }) => addressRules.district(district),
  pincode: ({ pincode }) => addressRules.pincode(pincode),
  taxId: ({ taxType, taxValue, country }) =>
    taxType && taxIdMessage(taxType, taxValue, countryCode(country)),
};

/** Returns the messages of the invalid fields, in the form's order. */
export function checkBillingDetails(
  form: BillingDetailsForm,
): Partial<Record<DetailsField, string>> {
  return invalidOnly(detailsFields.map((field) => [field, rules[field](form)]));
}

function checkPurchaseOrder(input: string): CheckResult {
  const text = clean(input);
  if (text === '') return 'ok';
  return length(text) > maxPurchaseOrderLength ? 'too long' : checkText(input);
}
