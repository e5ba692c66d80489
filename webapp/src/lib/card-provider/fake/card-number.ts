import { brandOf } from './brand';
import { type FieldCheck, invalid } from './field-check';

/** The digits in what was typed or pasted, no more than a card of that brand can have. */
export function numberDigits(text: string): string {
  const digits = text.replace(/\D/g, '');
  return digits.slice(0, Math.max(...brandOf(digits).lengths));
}

/** The number as it is printed on a card: 4242 4242 4242 4242, 3782 822463 10005. */
export function formatNumber(text: string): string {
  const digits = numberDigits(text);
  const groups: string[] = [];
  let from = 0;
  for (const size of brandOf(digits).groups) {
    if (from >= digits.length) break;
    groups.push(digits.slice(from, from + size));
    from += size;
  }
  return groups.join(' ');
}

/** The check digit that catches a mistyped number. */
function luhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

export function checkNumber(text: string): FieldCheck {
  const digits = numberDigits(text);
  const { lengths } = brandOf(digits);
  if (lengths.includes(digits.length) && luhn(digits)) return null;
  // A number that could still grow is not wrong, only not finished.
  if (digits.length < Math.max(...lengths)) {
    return invalid('incomplete', 'incomplete_number', 'Your card number is incomplete.');
  }
  return invalid('wrong', 'invalid_number', 'Your card number is invalid.');
}
