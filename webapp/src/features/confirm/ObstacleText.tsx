import type { ReactNode } from 'react';
import { EmailLink } from '@/components/EmailLink';
import { routes } from '@/lib/paths';
import { HoldText } from '@/modules/billing/HoldText';
import { obstacleDate } from '@/modules/billing/obstacle-text';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { longDate } from '@/modules/session/dates';
import type { Obstacle } from './use-plan-change';

interface ObstacleTextProps {
  obstacle: Obstacle;
  /** The email address of the sales team. */
  contact: string;
}

/** Explains why the change can't be confirmed, and what the customer can do about it. */
export function ObstacleText({ obstacle, contact }: ObstacleTextProps) {
  const { timeZone } = useConfig();
  switch (obstacle.kind) {
    case 'payment':
      return <PayFirst next={obstacle.next} />;
    case 'ending':
      return (
        <span>
          <span>{`Your plan ends on ${longDate(new Date(obstacle.endsAt), timeZone)}. `}</span>
          <TextLink to={routes.dash}>Resume it first</TextLink>, then change it.
        </span>
      );
    case 'hold':
      return <HoldText contact={contact} />;
    case 'managed':
      return (
        <span>
          Your plan was agreed with our sales team. To change it, please contact us:{' '}
          <EmailLink to={contact} />.
        </span>
      );
    case 'paused':
      return (
        <span>
          Your plan can’t be changed while your payments are paused. Please contact us:{' '}
          <EmailLink to={contact} />.
        </span>
      );
    case 'unavailable':
      return (
        <span>
          This change can’t be made here. Please write to <EmailLink to={contact} />.
        </span>
      );
    case 'reported':
      return (
        <span>
          {`${obstacle.reported.reason} ${obstacleDate(obstacle.reported, timeZone)}`.trim()}
        </span>
      );
    case 'no_card':
      return <span>Add a payment method first.</span>;
    case 'scheduled':
      return null; // ScheduledNotice explains it
  }
}

function PayFirst({ next }: Pick<Extract<Obstacle, { kind: 'payment' }>, 'next'>) {
  if (next === 'automatic_change') {
    return (
      <span>
        Your plan changes when the invoice is paid.{' '}
        <TextLink to={routes.pay}>See how to pay it</TextLink>.
      </span>
    );
  }
  return (
    <span>
      <span>
        {next === 'subscribe'
          ? 'The last invoice of your former plan is not paid. '
          : 'A payment of yours is still open. '}
      </span>
      <TextLink to={routes.pay}>Pay it first</TextLink>
      <span>{next === 'subscribe' ? ', then subscribe again.' : ', then change your plan.'}</span>
    </span>
  );
}

const TextLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <AppLink to={to} className="text-link">
    {children}
  </AppLink>
);
