import type { UserDetail } from '@/api';
import type { TimeZone } from '@/modules/session/dates';
import { dateText } from './plan-text';

type Obstacle = NonNullable<UserDetail['planObstacles']>[string];

/** Returns a sentence with the date of an obstacle; empty without a date. */
export function obstacleDate({ kind, at }: Obstacle, timeZone: TimeZone): string {
  if (!at) return '';
  const date = dateText(at, timeZone);
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

/** Says that a payment is disputed, with the date if the server reports it. */
export const disputeText = (
  { disputedAt }: Pick<UserDetail, 'disputedAt'>,
  timeZone: TimeZone,
): string =>
  disputedAt
    ? `A payment of your organisation was disputed on ${dateText(disputedAt, timeZone)}.`
    : 'A payment of your organisation is disputed.';
