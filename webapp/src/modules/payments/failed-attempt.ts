import type { Card, OpenPayment } from '@/api';
import { methodText } from '@/modules/billing/card-text';
import { dateText } from '@/modules/billing/plan-text';
import type { TimeZone } from '@/modules/session/dates';

/**
 * Says why the last attempt to pay failed and when: 'Visa •••• 0341 was declined on 28 November 2026: Your card has
 * insufficient funds.' Parts that the server does not report are left out; empty if it reports no failure. `cards` are the
 * cards that the declined one is looked up in.
 */
export function failedAttemptText(
  { kind, reason, failedMethodId, failedAt }: OpenPayment,
  cards: readonly Card[],
  timeZone: TimeZone,
): string {
  const card = cards.find(({ id }) => id === failedMethodId);
  if (!card && !failedAt) return reason;
  const attempt = kind === 'authentication' ? 'approval' : 'payment';
  const outcome = card ? `${methodText(card)} was declined` : `The last ${attempt} failed`;
  const dateOfFailure = failedAt ? ` on ${dateText(failedAt, timeZone)}` : '';
  return `${outcome}${dateOfFailure}${reason ? `: ${reason}` : '.'}`;
}

/** Whether the last attempt to pay was declined with this card. */
export const isDeclined = ({ failedMethodId }: OpenPayment, card: Card | null): boolean =>
  card !== null && card.id === failedMethodId;
