import { type Config, type NextAction, reportTransfer } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { dateText } from '@/modules/billing/plan-text';
import { transferReportText } from '@/modules/billing/transfer-report-text';
import { useBillingAction } from '@/modules/billing/use-billing-action';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import type { TimeZone } from '@/modules/session/dates';

/** Whether the customer can report now that the transfer is made. */
export const canReportTransfer = (next: NextAction, config: Pick<Config, 'provider'>): boolean =>
  can(config, 'transfer_reports') && Boolean(next.invoice) && !next.remindersPausedUntil;

/** A button with which the customer reports a transfer, or the time of the last report. */
export function TransferReport({ next }: { next: NextAction }) {
  const config = useConfig();
  const { action, run } = useBillingAction<'report'>();
  if (!can(config, 'transfer_reports') || !next.invoice) return null;
  const { invoice } = next;
  const text = reportText(next, config.timeZone);
  return (
    <>
      {canReportTransfer(next, config) && (
        <Button
          busy={action.status === 'busy'}
          onClick={() => void run('report', () => reportTransfer(invoice))}
        >
          I have paid
        </Button>
      )}
      {text && (
        <Notice className="order-last w-full">
          <p>{text}</p>
        </Notice>
      )}
      {action.status === 'failed' && (
        <Notice tone="danger" className="order-last w-full">
          <p>{action.message}</p>
        </Notice>
      )}
    </>
  );
}

/** Returns when the customer reported the transfer and until when no reminders are sent; empty without a report. */
function reportText(next: NextAction, timeZone: TimeZone): string {
  const { invoice, remindersPausedUntil } = next;
  const text = transferReportText(next, invoice, timeZone);
  if (!text) return '';
  return remindersPausedUntil
    ? `${text} We send no reminder until ${dateText(remindersPausedUntil, timeZone)}.`
    : `${text} The payment has not arrived yet.`;
}
