import { lower } from './letter-case';
import { type CheckResult, checkText, clean, shapingCharacters, trim, visible } from './text';

/**
 * Words of letters of any script, in a cleaned text. A letter may be followed by combining marks,
 * because keyboards differ in how they encode an accented letter, and by the joiners that shape it.
 */
const namePart = `\\p{L}[\\p{L}\\p{M}${shapingCharacters}]*`;
const personName = new RegExp(`^${namePart}(?: ${namePart})*$`, 'u');

/** Checks a first or last name, cleaned, against the name pattern. */
export function checkName(typed: string): CheckResult {
  const result = checkText(typed);
  if (result !== 'ok') return result;
  return personName.test(clean(typed)) ? 'ok' : 'invalid';
}

/** An optional plus, then 6 to 20 digits, spaces, dots and hyphens. */
const phoneNumber = /^\+?[0-9 .-]{6,20}$/;

/** Checks a phone number, without outer blanks and invisible characters. */
export function checkPhone(typed: string): CheckResult {
  const phone = trim(visible(typed));
  if (phone === '') return 'missing';
  return phoneNumber.test(phone) ? 'ok' : 'invalid';
}

const maxEmail = 254;
const maxLocalPart = 64;

/** ASCII atoms joined by dots (RFC 5322 dot-atom). */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/** Labels joined by dots, the last of at least two letters. */
const domain = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/**
 * Checks an email address without outer blanks, before it is put in lower case, which would turn a
 * Kelvin sign into a k.
 */
export function checkEmail(typed: string): CheckResult {
  const email = trim(typed);
  if (email === '') return 'missing';
  if (email.length > maxEmail) return 'invalid';
  const at = email.indexOf('@');
  const isValid =
    at <= maxLocalPart && localPart.test(email.slice(0, at)) && domain.test(email.slice(at + 1));
  return at > 0 && isValid ? 'ok' : 'invalid';
}

/**
 * Returns the form in which addresses are compared and sent: lower case (A to Z only), without outer
 * blanks.
 */
export function emailKey(email: string): string {
  return lower(trim(email));
}
