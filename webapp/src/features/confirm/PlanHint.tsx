import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { longDate } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { useGate } from '@/lib/use-gate';
import type { Obstacle } from './use-plan-change';

interface PlanHintProps {
  obstacle: Obstacle;
  /** The address of the sales team. */
  contact: string;
}

/** Why the change can't be confirmed now, and what to do about it. */
export function PlanHint({ obstacle, contact }: PlanHintProps) {
  const gate = useGate();
  switch (obstacle.kind) {
    case 'payment':
      return (
        <>
          A payment of yours is still open. <TextLink to={paths.pay(gate)}>Pay it first</TextLink>,
          then change your plan.
        </>
      );
    case 'ending':
      return (
        <>
          {`Your plan ends on ${longDate(new Date(obstacle.at))}. `}
          <TextLink to={paths.billing(gate)}>Resume it first</TextLink>, then change it.
        </>
      );
    case 'hold':
      return (
        <>
          {obstacle.disputed
            ? 'Your plan can’t be changed while a charge is disputed. '
            : 'Your plan can’t be changed since a charge was refunded. '}
          Please contact us: <Mail to={contact} />.
        </>
      );
    case 'unavailable':
      return (
        <>
          This change can’t be made here. Please write to <Mail to={contact} />.
        </>
      );
    case 'no_card':
      return 'Add a payment method first.';
  }
}

const TextLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="text-link">
    {children}
  </Link>
);

const Mail = ({ to }: { to: string }) => (
  <a href={`mailto:${to}`} className="text-link">
    {to}
  </a>
);
