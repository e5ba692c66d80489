import { lower, trim, type Verdict } from './text';

const maxEmail = 254;
const maxLocal = 64;

/** ASCII atoms joined by dots (RFC 5322 dot-atom). */
const local = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

/** Labels joined by dots, the last of them two letters at least. */
const domain = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/**
 * Holds an e-mail address, outer blanks aside, against the product's pattern: before it is put in
 * lower case, which would let a Kelvin sign pass for a k.
 */
export function judgeEmail(typed: string): Verdict {
  const email = trim(typed);
  if (email === '') return 'missing';
  if (email.length > maxEmail) return 'invalid';
  const at = email.indexOf('@');
  const fits = at <= maxLocal && local.test(email.slice(0, at)) && domain.test(email.slice(at + 1));
  return at > 0 && fits ? 'ok' : 'invalid';
}

/**
 * What addresses are compared by, and sent as: in lower case (A to Z only), without outer blanks.
 */
export function emailKey(email: string): string {
  return lower(trim(email));
}
