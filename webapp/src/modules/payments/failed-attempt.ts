import type { Card, OpenPayment } from '@/api';
import { methodInSentence, methodText } from '@/modules/billing/method-text';
import { dateText } from '@/modules/billing/plan-text';
import type { TimeZone } from '@/modules/session/dates';

/**
 * Returns when and why the last attempt to pay failed: 'Visa •••• 0341 was declined on 28 November 2026: Your card has
 * insufficient funds.', or that the customer's bank has returned the payment. Leaves out what the server does not report;
 * empty if it reports no failure. `cards` are the saved cards, among which the declined one is looked up.
 */
export function failedAttemptText(
  payment: OpenPayment,
  cards: readonly Card[],
  timeZone: TimeZone,
): string {
  const { kind, reason, failedMethodId, failedAt, returned } = payment;
  const card = cards.find(({ id }) => id === failedMethodId);
  if (returned) return returnedText(payment, timeZone, card);
  if (!card && !failedAt) return reason;
  const attempt = kind === 'authentication' ? 'approval' : 'payment';
  const outcome = card ? `${methodText(card)} was declined` : `The last ${attempt} failed`;
  const dateOfFailure = failedAt ? ` on ${dateText(failedAt, timeZone)}` : '';
  return `${outcome}${dateOfFailure}${reason ? `: ${reason}` : '.'}`;
}

/**
 * Says that the customer's bank has returned the payment, with the date that the invoice states: 'Your bank returned the
 * payment from bank account •••• 6819 on 15 December 2026.'
 */
export function returnedText(payment: OpenPayment, timeZone: TimeZone, card?: Card): string {
  const { failedAt, reason } = payment;
  const source = card ? ` from ${methodInSentence(card)}` : '';
  const dateOfReturn = failedAt ? ` on ${dateText(failedAt, payment.timeZone ?? timeZone)}` : '';
  return `Your bank returned the payment${source}${dateOfReturn}${reason ? `: ${reason}` : '.'}`;
}

/** Whether the last attempt to pay was declined with this card. */
export const isDeclined = ({ failedMethodId }: OpenPayment, card: Card | null): boolean =>
  card !== null && card.id === failedMethodId;
