import { useLocation } from 'react-router-dom';
import type { OpenPayment, Card as PaymentCard } from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { routes } from '@/lib/paths';
import { useConfig } from '@/modules/config/config-store';
import { failedAttemptText } from '@/modules/payments/failed-attempt';
import { AppLink } from '@/modules/session/AppLink';

interface PendingChangeActionsProps {
  /** Whether the change can be paid with another card. */
  canPayByCard: boolean;
  /** Whether the change can be paid with another card only. */
  needsOtherCard: boolean;
  /** The label of the button that cancels the change. */
  keepLabel: string;
  /** Whether the change is being canceled. */
  busy: boolean;
  onCancel: () => void;
}

/** The actions for a pending change, besides the confirm button. */
export function PendingChangeActions(props: PendingChangeActionsProps) {
  const { canPayByCard, needsOtherCard, keepLabel, busy, onCancel } = props;
  return (
    <>
      {canPayByCard && (
        <AppLink
          to={routes.pay}
          className={buttonClass(needsOtherCard ? 'primary' : 'secondary', true)}
        >
          Pay with another card
        </AppLink>
      )}
      <Button variant="quiet" wide busy={busy} onClick={onCancel}>
        {keepLabel}
      </Button>
    </>
  );
}

interface ConfirmNoticeProps {
  pendingPayment: OpenPayment | null;
  /** The default card. */
  card: PaymentCard | null;
  /** Whether the last step canceled a change. */
  isCanceled: boolean;
  /** Says that the plan has not changed, and until when the customer keeps it. */
  unchangedText: string;
}

/** The notice above the confirm button: that a change was canceled or is pending, or the notice of the previous screen. */
export function ConfirmNotice(props: ConfirmNoticeProps) {
  const { timeZone } = useConfig();
  const { pendingPayment, card, isCanceled, unchangedText } = props;
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
        <p className="empty:hidden">
          {failedAttemptText(pendingPayment, card ? [card] : [], timeZone)}
        </p>
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
