import type { UserDetail } from '@/api';
import type { TimeZone } from '@/modules/session/dates';
import { dateText } from './plan-text';

type Obstacle = NonNullable<UserDetail['planObstacles']>[string];

/** Returns a sentence with the date of an obstacle; empty without a date. */
export function obstacleDate({ kind, at, timeZone }: Obstacle, zone: TimeZone): string {
  if (!at) return '';
  const date = dateText(at, timeZone ?? zone);
  switch (kind) {
    case 'processing':
      return `It is expected by ${date}.`;
    case 'ending':
      return `Your plan ends on ${date}.`;
    case 'pending_change':
      return `The other change can be paid until ${date}.`;
    case 'order':
      return `Without an approval the order expires on ${date}.`;
    case 'paused':
      return `Your payments are paused until ${date}.`;
    case 'hold':
      return `The payment was disputed on ${date}.`;
    default:
      return '';
  }
}

/** Says that a payment is disputed, with the date that its invoice states, if the server reports it. */
export const disputeText = (
  { disputedAt, disputeTimeZone }: Pick<UserDetail, 'disputedAt' | 'disputeTimeZone'>,
  timeZone: TimeZone,
): string =>
  disputedAt
    ? `A payment of your organisation was disputed on ${dateText(disputedAt, disputeTimeZone ?? timeZone)}.`
    : 'A payment of your organisation is disputed.';
