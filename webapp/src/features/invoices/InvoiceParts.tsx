import type { Invoice } from '@/api';
import { Badge } from '@/components/Badge';
import { paths } from '@/lib/paths';
import type { BlockFormat } from '@/modules/billing/amount-text';
import {
  breakdownRows,
  descriptionOf,
  headlineOf,
  invoiceListFormat,
  taxText,
} from '@/modules/billing/invoice-text';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { lineRow } from '@/modules/payments/quote-text';
import { AppLink } from '@/modules/session/AppLink';
import type { PdfDownload } from './PdfDownload';

/** The props of both layouts of the list, which share the parts below. */
export interface InvoiceListProps {
  invoices: readonly Invoice[];
  download: PdfDownload;
}

export function StatusBadge({ invoice }: { invoice: Invoice }) {
  const { label, tone } = headlineOf(invoice);
  return <Badge tone={tone}>{label}</Badge>;
}

/** The number of an invoice as a link to its page. */
export function NumberLink({ invoice: { id, number } }: { invoice: Invoice }) {
  return (
    <AppLink to={paths.invoice(id)} translate={number ? 'no' : undefined} className="text-link">
      {number || 'Invoice'}
    </AppLink>
  );
}

interface InvoicePartProps {
  invoice: Invoice;
  /** The format of the list. */
  format: BlockFormat;
}

/** Classes that keep an amount and its sign on one line. */
const amountClass = 'figures inline-block max-w-full';

/** The total with the included tax, and its breakdown into credit, payments and refunds. */
export function Total({ invoice, format }: InvoicePartProps) {
  const config = useConfig();
  return (
    <>
      <span className={`${amountClass} font-semibold`}>{format.amountText(invoice.total)}</span>
      <span className="figures block text-sm text-muted empty:hidden">
        {taxText(invoice, config, format)}
      </span>
      {breakdownRows(invoice, format).map(([label, amount]) => (
        <span key={label} className="block text-sm text-muted">
          <span>{`${label} `}</span>
          <span className={amountClass}>{amount}</span>
        </span>
      ))}
    </>
  );
}

/** The description of the invoice, and its lines if there are several. */
export function Description({ invoice, format }: InvoicePartProps) {
  const { lines, total } = invoice;
  return (
    <>
      <span>{descriptionOf(invoice)}</span>
      {lines.length > 1 && (
        <ul className="mt-1 text-sm text-muted">
          {lines.map((line) => {
            const [label, amount] = lineRow(line, total.currency, format);
            return (
              <li key={`${label} ${amount}`}>
                <span>{`${label}, `}</span>
                <span className={amountClass}>{amount}</span>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

/** Returns the format of the amounts of the list. */
export const useListFormat = (invoices: readonly Invoice[]): BlockFormat =>
  invoiceListFormat(invoices, useConfig());

/** Whether any of the invoices has a document. */
export function useHasPdf(invoices: readonly Invoice[]): boolean {
  return can(useConfig(), 'invoice_pdf') && invoices.some(({ hasPdf }) => hasPdf);
}
