import { asciiLower } from './letter-case';
import {
  clean,
  length,
  listSeparators,
  removeInvisible,
  removePair,
  repeatUntilStable,
  shapingCharacters,
  trim,
  trimEnd,
  unquote,
  whitespace,
} from './text';

/** Longer numbers, codes and email addresses are not cleaned, because they are invalid anyway. */
const maxPastedCode = 2000;

/** Cleans a phone number as `cleanCode` does, and removes the scheme of a copied link. */
export function cleanPhone(phone: string): string {
  if (trim(phone).length > maxPastedCode) return phone;
  return repeatUntilStable(phone, (input) => cleanCode(input).replace(/^tel:/i, ''));
}

/** Cleans a postal code as `cleanCode` does, puts it on one line, and removes full stops at its end. */
export function cleanPostalCode(code: string): string {
  return repeatUntilStable(code, (input) =>
    clean(trimEnd(cleanCode(input), `. ${listSeparators}`)),
  );
}

/**
 * Cleans a number or code that may have been pasted. Removes invisible characters, whitespace at both ends, list
 * separators at the end, and quotation marks or angle brackets around the code. Converts digits, letters and signs to
 * ASCII where ASCII has them.
 */
export function cleanCode(code: string): string {
  if (trim(code).length > maxPastedCode) return code;
  return repeatUntilStable(code, (input) => {
    const text = trimStart(toHalfWidth(toAscii(removeInvisible(input))));
    return removePair(unquote(trimEnd(text, blanks + listSeparators)), '<', '>');
  });
}

const shapingPattern = new RegExp(`[${shapingCharacters}]`, 'gu');

/**
 * Converts digits, spaces and dashes of all scripts. Keyboards of East Asian languages enter a prolonged sound mark in
 * place of a hyphen.
 */
function toAscii(text: string): string {
  return text
    .replace(shapingPattern, '')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\p{Pd}−ーｰ]/gu, '-')
    .replace(/\p{Nd}/gu, digitValue);
}

/**
 * Returns the value of a digit. Unicode assigns the digits of a script to ten successive characters, which begin with
 * zero.
 */
function digitValue(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0;
  let zero = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((codePoint - zero) % 10);
}

/** Converts full-width characters and ideographic full stops to ASCII. */
function toHalfWidth(text: string): string {
  return text
    .replace(/[！-～]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(/[。｡]/g, '.');
}

/** Whitespace that is left after `toAscii`, and U+0085. */
const blanks = ' \t\n\v\f\r\u2028\u2029\x85';

const trimStart = (text: string): string =>
  text.replace(new RegExp(`^[${whitespace}\x85]+`, 'u'), '');

/**
 * Returns the form in which an email address is compared and sent. Removes invisible characters, blanks, quotation marks,
 * angle brackets and the scheme of a link around the address, and punctuation at its end. Converts to lower case, full-width
 * characters, typographic apostrophes and dashes to ASCII, and an internationalised domain to its ASCII form.
 */
export function normalizeEmail(email: string): string {
  const text = trim(email);
  if (text.length > maxPastedCode) return asciiLower(text);
  return toAsciiDomain(repeatUntilStable(text, normalizeEmailOnce));
}

function normalizeEmailOnce(email: string): string {
  const visible = removeInvisible(email);
  const withoutShaping = visible.replace(shapingPattern, '');
  const converted = toHalfWidth(isAscii(withoutShaping) ? withoutShaping : visible)
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u2010-\u2015−]/g, '-')
    .replace(/[‘’‛]/g, "'");
  const address = asciiLower(trimEnd(trimStart(converted), `${blanks}.,;`));
  return removePair(unquote(address), '<', '>').replace(/^mailto:/, '');
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** What a label must not contain: a hyphen at an end, or an ASCII character that is no letter, digit or hyphen. */
const invalidInLabel = /^-|-$|[\0-,/:-@[-`{-\x7f]/;

/**
 * Converts an internationalised domain to ASCII (UTS #46), as browsers do for URLs. Leaves an invalid domain unchanged,
 * and one whose top-level domain is a single letter.
 */
function toAsciiDomain(email: string): string {
  const domainIndex = email.lastIndexOf('@') + 1;
  const domain = email.slice(domainIndex);
  const labels = domain.split('.');
  const isValid = !labels.some((label) => invalidInLabel.test(label));
  if (domainIndex === 0 || isAscii(domain) || !isValid || length(labels.at(-1) ?? '') < 2)
    return email;
  try {
    return email.slice(0, domainIndex) + new URL(`http://${domain}`).hostname;
  } catch {
    return email;
  }
}
