import { type FieldCheck, invalid } from './field-check';

const incomplete = invalid(
  'incomplete',
  'incomplete_expiry',
  "Your card's expiration date is incomplete.",
);

/** Month and year as digits, MMYY. A year written with four digits, as autofill does, is cut. */
export function expiryDigits(text: string): string {
  const [, month = '', year] = /^\s*(\d{1,2})\s*[/-]\s*(\d{4})\s*$/.exec(text) ?? [];
  if (year) return month.padStart(2, '0') + year.slice(2);
  const digits = text.replace(/\D/g, '');
  // 13 to 19 can only mean January, and 2 to 9 a single-digit month.
  const single = /^[2-9]/.test(digits) || /^1[3-9]/.test(digits);
  const padded = single ? `0${digits}` : digits;
  return padded.slice(0, 4);
}

/** 'MM / YY', the slash as soon as the month is known. */
export function formatExpiry(text: string): string {
  const digits = expiryDigits(text);
  return digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

/** The month (1 to 12) and the year of four digits. Only for a date that is complete. */
export function expiryOf(text: string): { month: number; year: number } {
  const digits = expiryDigits(text);
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) };
}

/** A card is good to the end of its month. */
export function checkExpiry(text: string, now: Date): FieldCheck {
  if (expiryDigits(text).length < 4) return incomplete;
  const { month, year } = expiryOf(text);
  if (month < 1) return incomplete;
  if (year * 12 + month >= now.getFullYear() * 12 + now.getMonth() + 1) return null;
  return invalid('wrong', 'invalid_expiry', "Your card's expiration date is in the past.");
}
