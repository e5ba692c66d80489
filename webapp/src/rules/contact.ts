import { cleanPhone, normalizeEmail } from './codes';
import { type CheckResult, checkText, clean, shapingCharacters } from './text';

/**
 * A word of letters of any script, in a cleaned text. A letter may be followed by combining marks, because keyboards differ in
 * how they encode accents, and by the joiners that shape it.
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

/** Checks a phone number after `cleanPhone`. */
export function checkPhone(input: string): CheckResult {
  const phone = cleanPhone(input);
  if (phone === '') return 'missing';
  return phoneNumber.test(phone) ? 'ok' : 'invalid';
}

const maxEmailLength = 254;
const maxLocalPartLength = 64;

/** ASCII atoms joined by dots (RFC 5322 dot-atom). */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/** Labels joined by dots, the last of at least two letters or their ASCII form, such as xn--p1ai for рф. */
const domain =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|xn--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$/;

/** Checks an email address after `normalizeEmail`. */
export function checkEmail(input: string): CheckResult {
  const email = normalizeEmail(input);
  if (email === '') return 'missing';
  if (email.length > maxEmailLength) return 'invalid';
  const atIndex = email.indexOf('@');
  const isValid =
    atIndex <= maxLocalPartLength &&
    localPart.test(email.slice(0, atIndex)) &&
    domain.test(email.slice(atIndex + 1));
  return atIndex > 0 && isValid ? 'ok' : 'invalid';
}
