import type { CheckResult } from './text';

type Messages = Record<Exclude<CheckResult, 'ok'>, string>;

/** The messages of the specification, and of the rules that it leaves open. */
export const messages = {
  firstName: {
    missing: 'First name is required',
    invalid: 'Invalid first name',
    'too long': 'First name is too long',
  },
  lastName: {
    missing: 'Last name is required',
    invalid: 'Invalid last name',
    'too long': 'Last name is too long',
  },
  org: text('Org name', 'Org name is required'),
  email: always('Invalid email address!', 'email is required'),
  country: always('Unknown country', 'Country is required'),
  state: text('State', 'state is required'),
  line1: text('Billing address line 1', 'Billing address line 1 is required'),
  line2: text('Billing address line 2', ''),
  district: text('City', 'City is required'),
  pincode: {
    missing: 'Zip/Postal code is required',
    invalid: 'Invalid zipcode',
    'too long': 'Zip/Postal code is too long',
  },
  legalName: text('Legal name', 'Legal name is required'),
  billingEmail: always('Invalid email address!', ''),
  purchaseOrder: text('Purchase order number', ''),
  contact: always('Invalid contact details', 'Phone no. required'),
} satisfies Record<string, Messages>;

function text(label: string, missing: string): Messages {
  return {
    missing,
    invalid: `${label} contains invalid characters`,
    'too long': `${label} is too long`,
  };
}

function always(invalid: string, missing: string): Messages {
  return { missing, invalid, 'too long': invalid };
}
