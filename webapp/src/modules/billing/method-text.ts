import type { Card, PaidMethod } from '@/api';
import { brandName, methodTypeName } from '@/rules/method-names';

/** Returns the label of a method that is not a card, 'PayPal' for the type 'paypal', or undefined for a card. */
const methodLabel = ({ label }: PaidMethod): string | undefined => label && methodTypeName(label);

/**
 * Returns a payment method as text for screen readers, which do not read the dots of a masked number: 'Visa ending in
 * 4242' for a card, the label of another method.
 */
export const methodName = (method: Card): string =>
  methodLabel(method) ?? `${brandName(method.card.brand)} ending in ${method.card.last4}`;

/** Returns `methodName` for use within a sentence: 'bank account •••• 6819'. */
export const methodNameInSentence = (method: Card): string =>
  decapitaliseBank(methodName(method), method);

/** Returns 'Visa •••• 4242' with spaces that do not break, or the label of a method that is not a card. */
export const methodText = (method: PaidMethod): string =>
  unbreakNumber(methodLabel(method) ?? `${brandName(method.card.brand)} •••• ${method.card.last4}`);

/** Returns `methodText` for use within a sentence: 'bank account •••• 6819'. */
export const methodInSentence = (method: PaidMethod): string =>
  decapitaliseBank(methodText(method), method);

/** Returns a text that begins with the name of a payment method for use within a sentence: 'Bank' becomes 'bank'. */
const decapitaliseBank = (text: string, { kind }: PaidMethod): string =>
  kind === 'bank_debit' && text.startsWith('Bank ') ? `b${text.slice(1)}` : text;

/** Returns '•••• 4242' with a space that does not break, or the label of a method that is not a card. */
export const maskedNumber = (method: PaidMethod): string =>
  unbreakNumber(methodLabel(method) ?? `•••• ${method.card.last4}`);

/** Replaces the spaces around the dots of a masked number by spaces that do not break. */
const unbreakNumber = (text: string): string =>
  text.replace(/ ?•••• /, (dots) => dots.replaceAll(' ', '\u00a0'));

/** Returns 'Expires 12/2034'; empty for a method that is not a card. */
export const expiryText = ({ card, label }: Card): string =>
  label ? '' : `Expires ${card.exp_month}/${card.exp_year}`;

/**
 * How long before its end a card "expires soon", in milliseconds. The period is long enough for a charge of a monthly
 * plan.
 */
const expirySoonPeriod = 60 * 24 * 60 * 60 * 1000;

/**
 * Returns 'Expires soon' in the last two months of a card, 'Expired' after them, otherwise ''. `now` is in milliseconds.
 */
export function expiryWarning({ card, label }: Card, now: number): string {
  if (label || !card.exp_year) return '';
  const end = Date.UTC(card.exp_year, card.exp_month); // cards are valid until the end of the month
  if (now >= end) return 'Expired';
  return now >= end - expirySoonPeriod ? 'Expires soon' : '';
}

/** Whether a card can't be charged any more. `now` is in milliseconds. */
export const isExpired = (card: Card, now: number): boolean =>
  expiryWarning(card, now) === 'Expired';

/** Returns the noun for a default card or another default method, within a sentence. */
export const methodNoun = ({ label }: Card): string => (label ? 'payment method' : 'card');

/** Returns the noun for one saved method within a sentence: 'card', 'bank account' or 'payment method'. */
export const kindNoun = (method: Card): string =>
  method.kind === 'bank_debit' ? 'bank account' : methodNoun(method);
