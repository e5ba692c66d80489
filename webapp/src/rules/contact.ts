import { lower } from './letter-case';
import {
  type CheckResult,
  checkText,
  clean,
  removeInvisible,
  shapingCharacters,
  trim,
} from './text';

/**
 * A word of letters of any script, in a cleaned text. Combining marks may follow a letter, because keyboards differ
 * in how they encode accents, and so may the joiners that shape it.
 */
const namePart = `\\p{L}[\\p{L}\\p{M}${shapingCharacters}]*`;
const personName = new RegExp(`^${namePart}(?: ${namePart})*$`, 'u');

/** Checks a first or last name against the name pattern, after `clean`. */
export function checkName(input: string): CheckResult {
  const result = checkText(input);
  if (result !== 'ok') return result;
  return personName.test(clean(input)) ? 'ok' : 'invalid';
}

/** An optional plus, then 6 to 20 digits, spaces, dots and hyphens. */
const phoneNumber = /^\+?[0-9 .-]{6,20}$/;

/** Checks a phone number after removing outer blanks and invisible characters. */
export function checkPhone(input: string): CheckResult {
  const phone = trim(removeInvisible(input));
  if (phone === '') return 'missing';
  return phoneNumber.test(phone) ? 'ok' : 'invalid';
}

const maxEmailLength = 254;
const maxLocalPartLength = 64;

/** ASCII atoms joined by dots (RFC 5322 dot-atom). */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/** Labels joined by dots, the last of at least two letters. */
const domain = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** Checks an email address before any conversion: `toLowerCase` would turn an invalid Kelvin sign into a valid k. */
export function checkEmail(input: string): CheckResult {
  const email = trim(input);
  if (email === '') return 'missing';
  if (email.length > maxEmailLength) return 'invalid';
  const atIndex = email.indexOf('@');
  const isValid =
    atIndex <= maxLocalPartLength &&
    localPart.test(email.slice(0, atIndex)) &&
    domain.test(email.slice(atIndex + 1));
  return atIndex > 0 && isValid ? 'ok' : 'invalid';
}

/** Returns the form in which an email address is compared and sent: without outer blanks, A to Z in lower case. */
export function normalizeEmail(email: string): string {
  return lower(trim(email));
}
