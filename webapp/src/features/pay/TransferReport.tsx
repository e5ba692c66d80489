import { type NextAction, reportTransfer } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { dateText } from '@/modules/billing/plan-text';
import { useBillingAction } from '@/modules/billing/use-billing-action';
import { useCan } from '@/modules/config/capabilities';

/** A button with which the customer reports that the transfer is made, or what was reported. */
export function TransferReport({ next }: { next: NextAction }) {
  const canReport = useCan('transfer_reports');
  const { action, run } = useBillingAction<'report'>();
  if (!canReport || !next.invoice) return null;
  const { invoice, remindersPausedUntil } = next;
  const text = reportText(next);
  return (
    <>
      {!remindersPausedUntil && (
        <Button
          variant="secondary"
          busy={action.status === 'busy'}
          onClick={() => void run('report', () => reportTransfer(invoice))}
        >
          I have paid
        </Button>
      )}
      {text && (
        <Notice className="w-full">
          <p>{text}</p>
        </Notice>
      )}
      {action.status === 'failed' && (
        <Notice tone="danger" className="w-full">
          <p>{action.message}</p>
        </Notice>
      )}
    </>
  );
}

/** Returns when the customer reported the transfer and how long there are no reminders; empty without a report. */
function reportText({ reportedAt, remindersPausedUntil }: NextAction): string {
  if (!reportedAt) return '';
  const text = `You told us on ${dateText(reportedAt)} that you have paid.`;
  return remindersPausedUntil
    ? `${text} We send no reminder until ${dateText(remindersPausedUntil)}.`
    : `${text} The payment has not arrived yet.`;
}
