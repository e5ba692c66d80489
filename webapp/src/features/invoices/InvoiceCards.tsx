import { longDate } from '@/modules/session/dates';
import {
  Description,
  type InvoiceListProps,
  NumberLink,
  StatusBadge,
  Total,
  useHasPdf,
  useListFormat,
} from './InvoiceParts';
import { PdfButton } from './PdfDownload';

/** The list of invoices on narrow screens, with a card for each invoice. */
export function InvoiceCards({ invoices, download }: InvoiceListProps) {
  const hasPdf = useHasPdf(invoices);
  const format = useListFormat(invoices);
  return (
    <ul className="mt-6 space-y-4" aria-label="Your invoices, newest first">
      {invoices.map((invoice) => (
        <li key={invoice.id} className="rounded-card border border-line bg-surface p-4">
          <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
            <p className="font-semibold">
              {longDate(new Date(invoice.createdAt), invoice.timeZone)}
            </p>
            <StatusBadge invoice={invoice} />
          </div>
          <p className="figures text-sm">
            <NumberLink invoice={invoice} />
          </p>
          <div className="mt-3">
            <Description invoice={invoice} format={format} />
          </div>
          <div className="mt-3 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
            <p>
              <Total invoice={invoice} format={format} />
            </p>
            {hasPdf && invoice.hasPdf && <PdfButton invoice={invoice} download={download} />}
          </div>
        </li>
      ))}
    </ul>
  );
}
