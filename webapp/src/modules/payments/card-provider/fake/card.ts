// The formatting and validation rules of the fake provider's card field.

/** The error of a field. Incomplete input is not shown as an error while it is typed. */
interface FieldError {
  kind: 'incomplete' | 'wrong';
  message: string;
}

/** A card brand and the format of its cards. The first digits of a number determine the brand. */
interface Brand {
  /** The provider's name. */
  name: string;
  lengths: readonly number[];
  /** The sizes of the digit groups. */
  groups: readonly number[];
  cvcLength: number;
}

const groupsOfFour = [4, 4, 4, 4, 3] as const;

const unknownBrand: Brand = {
  name: 'unknown',
  lengths: [16],
  groups: groupsOfFour,
  cvcLength: 3,
};

const brands: readonly (Brand & { prefix: RegExp })[] = [
  { ...unknownBrand, name: 'visa', prefix: /^4/ },
  {
    ...unknownBrand,
    name: 'mastercard',
    prefix: /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/,
  },
  {
    name: 'amex',
    lengths: [15],
    groups: [4, 6, 5],
    cvcLength: 4,
    prefix: /^3[47]/,
  },
  {
    ...unknownBrand,
    name: 'diners',
    lengths: [14, 16],
    prefix: /^3(0[0-5]|[689])/,
  },
  { ...unknownBrand, name: 'jcb', prefix: /^35/ },
  { ...unknownBrand, name: 'discover', prefix: /^6(011|5|4[4-9])/ },
  {
    ...unknownBrand,
    name: 'unionpay',
    lengths: [16, 17, 18, 19],
    prefix: /^62/,
  },
];

/** Returns the brand of a card number that begins with these digits. */
export function brandOf(digits: string): Brand {
  return brands.find(({ prefix }) => prefix.test(digits)) ?? unknownBrand;
}

/** Returns the digits in a typed or pasted text, at most as many as a card of that brand can have. */
export function numberDigits(text: string): string {
  const digits = text.replace(/\D/g, '');
  return digits.slice(0, Math.max(...brandOf(digits).lengths));
}

/** Formats the number as it is printed on a card: 4242 4242 4242 4242, 3782 822463 10005. */
export function formatNumber(text: string): string {
  const digits = numberDigits(text);
  const groups: string[] = [];
  let start = 0;
  for (const size of brandOf(digits).groups) {
    if (start >= digits.length) break;
    groups.push(digits.slice(start, start + size));
    start += size;
  }
  return groups.join(' ');
}

/** Whether the check digit of a card number is correct (Luhn algorithm). */
function hasValidCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Returns the error of a card number, or null if it is valid. */
export function numberError(text: string): FieldError | null {
  const digits = numberDigits(text);
  const { lengths } = brandOf(digits);
  if (lengths.includes(digits.length) && hasValidCheckDigit(digits)) return null;
  // A number with fewer digits than the maximum may be incomplete.
  if (digits.length < Math.max(...lengths)) {
    return { kind: 'incomplete', message: 'Your card number is incomplete.' };
  }
  return { kind: 'wrong', message: 'Your card number is invalid.' };
}

const incompleteExpiry: FieldError = {
  kind: 'incomplete',
  message: "Your card's expiration date is incomplete.",
};

/** Returns month and year as digits, MMYY. Autofill may write four digits of the year; the last two are used. */
function expiryDigits(text: string): string {
  const [, month = '', year] = /^\s*(\d{1,2})\s*[/-]\s*(\d{4})\s*$/.exec(text) ?? [];
  if (year) return month.padStart(2, '0') + year.slice(2);
  const digits = text.replace(/\D/g, '');
  // 13 to 19 begins with January; 2 to 9 is a single-digit month.
  const isSingleDigitMonth = /^[2-9]/.test(digits) || /^1[3-9]/.test(digits);
  const padded = isSingleDigitMonth ? `0${digits}` : digits;
  return padded.slice(0, 4);
}

/** Formats a date as 'MM / YY', with the slash as soon as the month is known. */
export function formatExpiry(text: string): string {
  const digits = expiryDigits(text);
  return digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

/** Returns the month (1 to 12) and the year of four digits of a complete date. */
export function expiryOf(text: string): { month: number; year: number } {
  const digits = expiryDigits(text);
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) };
}

/** Returns the error of an expiry date, or null if it is valid. A card is valid until the end of its month. */
export function expiryError(text: string, now: Date): FieldError | null {
  if (expiryDigits(text).length < 4) return incompleteExpiry;
  const { month, year } = expiryOf(text);
  if (month < 1) return incompleteExpiry;
  if (year * 12 + month >= now.getFullYear() * 12 + now.getMonth() + 1) return null;
  return { kind: 'wrong', message: "Your card's expiration date is in the past." };
}

/** Returns the digits of a security code: at most as many as the brand has, four for an unknown brand. */
export function formatCvc(text: string, brand: Brand): string {
  return text.replace(/\D/g, '').slice(0, brand === unknownBrand ? 4 : brand.cvcLength);
}

function cvcError(text: string, brand: Brand): FieldError | null {
  if (formatCvc(text, brand).length >= brand.cvcLength) return null;
  return { kind: 'incomplete', message: "Your card's security code is incomplete." };
}

export const fieldNames = ['number', 'expiry', 'cvc'] as const;
export type FieldName = (typeof fieldNames)[number];

/** The formatted values of the three inputs. */
export type CardText = Record<FieldName, string>;

/** The card as the fake provider's API accepts it. */
export interface CardData {
  number: string;
  exp_month: number;
  exp_year: number;
  cvc: string;
}

/** Returns the error of a field, also for incomplete input, or null if it is valid. */
function fieldError(name: FieldName, text: CardText, now: Date): FieldError | null {
  if (name === 'number') return numberError(text.number);
  if (name === 'expiry') return expiryError(text.expiry, now);
  return cvcError(text.cvc, brandOfCard(text));
}

/** Returns the first invalid field with its message, or null if all are valid. */
export function firstInvalidField(
  text: CardText,
  now: Date,
  names: readonly FieldName[] = fieldNames,
) {
  for (const name of names) {
    const error = fieldError(name, text, now);
    if (error) return { name, message: error.message };
  }
  return null;
}

/** Returns the fields that show an error: wrong ones, and incomplete ones that have lost the focus (`blurredFields`). */
export function invalidFields(
  text: CardText,
  now: Date,
  blurredFields: ReadonlySet<FieldName>,
): FieldName[] {
  return fieldNames.filter((name) => {
    const error = fieldError(name, text, now);
    return error !== null && (error.kind === 'wrong' || blurredFields.has(name));
  });
}

/** Returns the brand of a card by its typed number. */
export function brandOfCard({ number }: CardText): Brand {
  return brandOf(numberDigits(number));
}

/** Converts the texts of a valid card to its data. */
export function cardData(text: CardText): CardData {
  const { month, year } = expiryOf(text.expiry);
  return {
    number: numberDigits(text.number),
    exp_month: month,
    exp_year: year,
    cvc: formatCvc(text.cvc, brandOfCard(text)),
  };
}
