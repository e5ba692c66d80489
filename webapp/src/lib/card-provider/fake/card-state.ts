import { type Brand, brandOf } from './brand';
import { checkCvc, formatCvc } from './card-cvc';
import { checkExpiry, expiryOf } from './card-expiry';
import { checkNumber, numberDigits } from './card-number';
import type { FieldCheck } from './field-check';

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

export interface CardError {
  type: 'validation_error';
  code: string;
  message: string;
}

/** The error of a field, including incomplete input. */
export function checkField(name: FieldName, text: CardText, now: Date): FieldCheck {
  if (name === 'number') return checkNumber(text.number);
  if (name === 'expiry') return checkExpiry(text.expiry, now);
  return checkCvc(text.cvc, brandOfCard(text));
}

/** The first invalid field with its error. */
export function firstFault(text: CardText, now: Date, names: readonly FieldName[] = fieldNames) {
  for (const name of names) {
    const check = checkField(name, text, now);
    if (check) return { name, error: cardError(check) };
  }
  return null;
}

/**
 * The fields with a fault worth showing: those that are wrong, and those that are incomplete and
 * were left (`left`).
 */
export function faultyFields(text: CardText, now: Date, left: ReadonlySet<FieldName>): FieldName[] {
  return fieldNames.filter((name) => {
    const check = checkField(name, text, now);
    return check !== null && (check.kind === 'wrong' || left.has(name));
  });
}

export function brandOfCard({ number }: CardText): Brand {
  return brandOf(numberDigits(number));
}

/** The card itself. Only for texts without a fault. */
export function cardData(text: CardText): CardData {
  const { month, year } = expiryOf(text.expiry);
  return {
    number: numberDigits(text.number),
    exp_month: month,
    exp_year: year,
    cvc: formatCvc(text.cvc, brandOfCard(text)),
  };
}

function cardError({ code, message }: NonNullable<FieldCheck>): CardError {
  return { type: 'validation_error', code, message };
}
