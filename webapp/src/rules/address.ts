import { cleanPostalCode } from './codes';
import { isCountry } from './country';
import { asciiUpper } from './letter-case';
import { messages } from './messages';
import { type CheckResult, checkText, clean, trim } from './text';

/** The fields of a billing address in the form's order, under the specification's names. */
export const addressFields = ['country', 'state', 'line1', 'line2', 'district', 'pincode'] as const;

export type Address = Record<(typeof addressFields)[number], string>;

/** Returns a rule, which checks the text of a field and returns the error message, or "" for a valid text. */
export function fieldRule(field: keyof typeof messages, check: (text: string) => CheckResult) {
  return (text: string): string => {
    const result = check(text);
    return result === 'ok' ? '' : messages[field][result];
  };
}

/** The rules of the fields of an address. */
export const addressRules: Record<keyof Address, (text: string) => string> = {
  country: fieldRule('country', checkCountry),
  state: fieldRule('state', checkText),
  line1: fieldRule('line1', checkText),
  line2: fieldRule('line2', checkOptionalText),
  district: fieldRule('district', checkText),
  pincode: fieldRule('pincode', checkPostalCode),
};

/** Converts an entered country code to upper case, without whitespace at its ends. */
export const countryCode = (input: string): string => asciiUpper(trim(input));

function checkCountry(input: string): CheckResult {
  const code = countryCode(input);
  if (code === '') return 'missing';
  return isCountry(code) ? 'ok' : 'invalid';
}

/** Checks a postal code after `cleanPostalCode`. Unlike in other fields, a text of blanks is invalid, not missing. */
function checkPostalCode(input: string): CheckResult {
  const code = cleanPostalCode(input);
  return input !== '' && code === '' ? 'invalid' : checkText(code);
}

function checkOptionalText(text: string): CheckResult {
  return clean(text) === '' ? 'ok' : checkText(text);
}
