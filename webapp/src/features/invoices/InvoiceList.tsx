import type { Invoice } from '@/api';
import { Badge } from '@/components/Badge';
import { cx } from '@/lib/cx';
import { paths } from '@/lib/paths';
import type { AmountFormat } from '@/modules/billing/amount-text';
import {
  breakdownRows,
  descriptionOf,
  headlineOf,
  invoiceListFormat,
} from '@/modules/billing/invoice-text';
import { PdfButton, type PdfDownload } from '@/modules/billing/PdfDownload';
import { useReportSuffix } from '@/modules/billing/transfer-report-text';
import { useOpenPayment } from '@/modules/billing/use-open-payment';
import { useConfig } from '@/modules/config/config-store';
import { AppLink } from '@/modules/session/AppLink';
import { mediumDate } from '@/modules/session/date-times';
import { breakDates } from '@/modules/session/dates';

interface InvoiceListProps {
  invoices: readonly Invoice[];
  download: PdfDownload;
}

/** A list of invoices. Each row is a link to the page of its invoice, beside a button that downloads the document. */
export function InvoiceList({ invoices, download }: InvoiceListProps) {
  const config = useConfig();
  const format = invoiceListFormat(invoices, config);
  const hasPdf = invoices.some((invoice) => invoice.hasPdf);
  return (
    <div className="figures mt-6 overflow-hidden rounded-card border border-line bg-surface">
      <div
        aria-hidden
        className={cx(
          'hidden border-b border-line py-2.5 text-sm text-muted',
          rowClass,
          hasPdf ? 'pr-13' : edgeClass,
        )}
      >
        <span>Date</span>
        <span>Number</span>
        <span>Description</span>
        <span>Status</span>
        <span className="text-right">Total</span>
      </div>
      <ul className="divide-y divide-line" aria-label="Your invoices, newest first">
        {invoices.map((invoice) => (
          <li key={invoice.id} className="relative flex items-center hover:bg-paper">
            <div className={cx('min-w-0 grow py-2.5', rowClass, !hasPdf && edgeClass)}>
              <RowTexts invoice={invoice} format={format} />
            </div>
            {hasPdf && (
              <div className="w-13 shrink-0">
                {invoice.hasPdf && <PdfButton iconOnly invoice={invoice} download={download} />}
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The grid of a row on wide screens, and of the column headings. */
const rowClass =
  'items-baseline gap-x-4 pl-4 sm:pl-6 @columns:grid @columns:grid-cols-[6.5rem_10.5rem_minmax(0,1fr)_9rem_minmax(7.5rem,max-content)]';
const edgeClass = 'pr-4 sm:pr-6';

interface RowTextsProps {
  invoice: Invoice;
  /** The format of the list. */
  format: AmountFormat;
}

/** The texts of a row: one line where the width allows it, otherwise two, and the breakdown if the total has one. */
function RowTexts({ invoice, format }: RowTextsProps) {
  const { timeZone } = useConfig();
  const reportSuffix = useReportSuffix(invoice, invoice.timeZone ?? timeZone);
  const { label, tone } = headlineOf(invoice, useOpenPayment());
  return (
    <>
      <div className={lineClass}>
        <NumberLink invoice={invoice} />
        <span className="ml-auto text-right font-semibold @columns:col-start-5 @columns:row-start-1 @columns:whitespace-nowrap">
          {format.amountText(invoice.total)}
        </span>
      </div>
      <div className={lineClass}>
        <span className="@max-columns:text-sm @columns:col-start-1 @columns:row-start-1">
          {breakDates(mediumDate(new Date(invoice.createdAt), invoice.timeZone ?? timeZone))}
        </span>
        <span className="min-w-0 wrap-anywhere text-muted @max-columns:text-sm @columns:col-start-3 @columns:row-start-1">
          {descriptionOf(invoice) + reportSuffix}
        </span>
        <span className="ml-auto @columns:col-start-4 @columns:row-start-1 @columns:ml-0">
          <Badge tone={tone}>{label}</Badge>
        </span>
      </div>
      <p className="text-sm text-muted empty:hidden @columns:col-start-2 @columns:col-end-6 @columns:text-right">
        {breakdownRows(invoice, format).map(([name, amount], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several credit notes have the same name, and rows are never reordered
          <span key={index}>
            <span>{`${index > 0 ? ', ' : ''}${name} `}</span>
            <span className="inline-block max-w-full">{amount}</span>
          </span>
        ))}
      </p>
    </>
  );
}

/** The number of an invoice as the link to its page, whose area is the whole row. */
const NumberLink = ({ invoice: { id, number } }: { invoice: Invoice }) => (
  <AppLink
    to={paths.invoice(id)}
    translate={number ? 'no' : undefined}
    className="text-link max-w-full wrap-anywhere after:absolute after:inset-0 @columns:col-start-2 @columns:row-start-1"
  >
    {number || 'Invoice'}
  </AppLink>
);

const lineClass = 'flex min-w-0 flex-wrap items-baseline gap-x-2 @columns:contents';
