import type { Invoice, NextAction } from '@/api';
import type { TimeZone } from '@/modules/session/dates';
import { useSession } from '@/modules/session/session-store';
import { dateText } from './plan-text';

/**
 * Returns 'You told us on 8 December 2026 that you have paid.', or '' if the customer has not reported a transfer for the
 * invoice with this id.
 */
export function transferReportText(
  next: NextAction | null | undefined,
  invoiceId: string,
  timeZone: TimeZone,
): string {
  const reportedAt = next?.invoice === invoiceId && next.reportedAt;
  return reportedAt ? `You told us on ${dateText(reportedAt, timeZone)} that you have paid.` : '';
}

/** Returns '. You told us …' for an open invoice whose transfer the customer has reported; otherwise ''. */
export function useReportSuffix({ id, status }: Invoice, timeZone: TimeZone): string {
  const session = useSession();
  const next = session.status === 'signedIn' && status === 'open' ? session.user.next : null;
  const text = transferReportText(next, id, timeZone);
  return text && `. ${text}`;
}
