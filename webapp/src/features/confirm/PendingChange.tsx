import { useLocation } from 'react-router-dom';
import type { OpenPayment } from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';

interface PendingChangeActionsProps {
  /** Whether the change can be paid with another card. */
  canPayByCard: boolean;
  /** Whether the change is being canceled. */
  busy: boolean;
  onCancel: () => void;
}

/** The actions for a pending change, besides the confirm button. */
export function PendingChangeActions({ canPayByCard, busy, onCancel }: PendingChangeActionsProps) {
  return (
    <>
      {canPayByCard && (
        <AppLink to={routes.pay} className={buttonClass('secondary', true)}>
          Pay with another card
        </AppLink>
      )}
      <Button variant="secondary" wide busy={busy} onClick={onCancel}>
        Drop the change
      </Button>
    </>
  );
}

interface ConfirmNoticeProps {
  pendingPayment: OpenPayment | null;
  /** Whether the last step canceled a change. */
  isCanceled: boolean;
  /** Says that the plan has not changed, and until when the customer keeps it. */
  unchangedText: string;
}

/**
 * Says above the confirm button that a change was canceled or is pending. Otherwise shows the notice of the previous
 * screen.
 */
export function ConfirmNotice({ pendingPayment, isCanceled, unchangedText }: ConfirmNoticeProps) {
  const { state } = useLocation();
  if (isCanceled) {
    return (
      <Notice tone="success" title="The change was dropped">
        <p>{unchangedText}</p>
      </Notice>
    );
  }
  if (pendingPayment) {
    return (
      <Notice tone="attention" live={false} title="This change waits for its payment">
        {pendingPayment.reason && <p>{pendingPayment.reason}</p>}
        <p>{unchangedText}</p>
      </Notice>
    );
  }
  return typeof state?.notice === 'string' ? (
    <Notice tone="success">
      <p>{state.notice}</p>
    </Notice>
  ) : null;
}
