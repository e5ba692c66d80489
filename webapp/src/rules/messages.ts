import type { CheckResult } from './text';

type Messages = Record<Exclude<CheckResult, 'ok'>, string>;

/** The messages of the specification, and messages for the rules that it leaves open. */
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
  org: textMessages('Org name', 'Org name is required'),
  email: oneMessage('Invalid email address!', 'email is required'),
  country: oneMessage('Unknown country', 'Country is required'),
  state: textMessages('State', 'state is required'),
  line1: textMessages('Billing address line 1', 'Billing address line 1 is required'),
  line2: textMessages('Billing address line 2', ''),
  district: textMessages('City', 'City is required'),
  pincode: {
    missing: 'Zip/Postal code is required',
    invalid: 'Invalid zipcode',
    'too long': 'Zip/Postal code is too long',
  },
  legalName: textMessages('Legal name', 'Legal name is required'),
  billingEmail: oneMessage('Invalid email address!', ''),
  purchaseOrder: textMessages('Purchase order number', ''),
  contact: oneMessage('Invalid contact details', 'Phone no. required'),
} satisfies Record<string, Messages>;

/** Returns the messages that are not "", by field, in the order of `messages`. */
export function invalidOnly<Field extends string>(
  messages: readonly (readonly [Field, string])[],
): Partial<Record<Field, string>> {
  return Object.fromEntries(messages.filter(([, message]) => message !== '')) as Partial<
    Record<Field, string>
  >;
}

/** Returns the messages of a field with the rule `checkText`. */
function textMessages(label: string, missing: string): Messages {
  return {
    missing,
    invalid: `${label} contains invalid characters`,
    'too long': `${label} is too long`,
  };
}

/** Returns the messages of a field that has the same message for every invalid text. */
function oneMessage(invalid: string, missing: string): Messages {
  return { missing, invalid, 'too long': invalid };
}
