import { useLocation } from 'react-router-dom';
import type { OpenPayment } from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';

interface PendingActionsProps {
  /** Whether it can be paid with a card. */
  byCard: boolean;
  /** The change is being dropped. */
  busy: boolean;
  onDrop: () => void;
}

/** The actions for a change that waits for its payment, besides confirming it again. */
export function PendingActions({ byCard, busy, onDrop }: PendingActionsProps) {
  return (
    <>
      {byCard && (
        <AppLink to={routes.pay} className={buttonClass('secondary', true)}>
          Pay with another card
        </AppLink>
      )}
      <Button look="secondary" wide busy={busy} onClick={onDrop}>
        Drop the change
      </Button>
    </>
  );
}

interface ConfirmNoticeProps {
  pending: OpenPayment | null;
  /** Whether a change was just dropped. */
  isDropped: boolean;
  /** The plan that is kept. */
  unchanged: string;
}

/**
 * The notice above the button: the result of the last step, or that a change waits for its payment.
 */
export function ConfirmNotice({ pending, isDropped: dropped, unchanged }: ConfirmNoticeProps) {
  const { state } = useLocation();
  if (dropped) {
    return (
      <Notice tone="success" title="The change was dropped">
        <p>{unchanged}</p>
      </Notice>
    );
  }
  if (pending) {
    return (
      <Notice tone="attention" live={false} title="This change waits for its payment">
        {pending.reason && <p>{pending.reason}</p>}
        <p>{unchanged}</p>
      </Notice>
    );
  }
  return typeof state?.notice === 'string' ? (
    <Notice tone="success">
      <p>{state.notice}</p>
    </Notice>
  ) : null;
}
