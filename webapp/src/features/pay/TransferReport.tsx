import { type NextAction, reportTransfer } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { dateText } from '@/modules/billing/plan-text';
import { useBillingAction } from '@/modules/billing/use-billing-action';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import type { TimeZone } from '@/modules/session/dates';

/** A button with which the customer reports that the transfer is made, or what was reported. */
export function TransferReport({ next }: { next: NextAction }) {
  const config = useConfig();
  const { action, run } = useBillingAction<'report'>();
  if (!can(config, 'transfer_reports') || !next.invoice) return null;
  const { invoice, remindersPausedUntil } = next;
  const text = reportText(next, config.timeZone);
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
function reportText({ reportedAt, remindersPausedUntil }: NextAction, timeZone: TimeZone): string {
  if (!reportedAt) return '';
  const text = `You told us on ${dateText(reportedAt, timeZone)} that you have paid.`;
  return remindersPausedUntil
    ? `${text} We send no reminder until ${dateText(remindersPausedUntil, timeZone)}.`
    : `${text} The payment has not arrived yet.`;
}
