import { trim, type Verdict, visible } from './text';

/** A plus or not, then 6 to 20 of digits, spaces, dots and hyphens. */
const phoneNumber = /^\+?[0-9 .-]{6,20}$/;

/**
 * Holds a phone number, without outer blanks and what is not seen, against the product's pattern.
 */
export function judgePhone(typed: string): Verdict {
  const phone = trim(visible(typed));
  if (phone === '') return 'missing';
  return phoneNumber.test(phone) ? 'ok' : 'invalid';
}
