import { Download as DownloadIcon } from 'lucide-react';
import type { Invoice } from '@/api';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { paths } from '@/lib/paths';
import { headlineOf, settlementRows, taxText } from '@/modules/billing/invoice-text';
import { amountText } from '@/modules/billing/offer';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { lineRow } from '@/modules/payments/quote-text';
import { AppLink } from '@/modules/session/AppLink';
import type { Download } from './use-download';

/** The parts that the table and the cards share. */
export interface InvoiceListProps {
  invoices: readonly Invoice[];
  download: Download;
}

export function Status({ invoice }: { invoice: Invoice }) {
  const { label, tone } = headlineOf(invoice);
  return <Badge tone={tone}>{label}</Badge>;
}

/** The number of an invoice as a link to its page. */
export function NumberLink({ invoice: { id, number } }: { invoice: Invoice }) {
  return (
    <AppLink to={paths.invoice(id)} className="text-link">
      {number || 'Invoice'}
    </AppLink>
  );
}

/** Keeps an amount on the line of its sign. */
const amountClass = 'figures inline-block max-w-full';

/** The total with the included tax, and how it is settled: by credit, payments and refunds. */
export function Total({ invoice }: { invoice: Invoice }) {
  const config = useConfig();
  return (
    <>
      <span className={`${amountClass} font-semibold`}>{amountText(config, invoice.total)}</span>
      <span className="figures block text-sm text-muted empty:hidden">
        {taxText(invoice, config)}
      </span>
      {settlementRows(invoice, config).map(([label, amount]) => (
        <span key={label} className="block text-sm text-muted">
          {`${label} `}
          <span className={amountClass}>{amount}</span>
        </span>
      ))}
    </>
  );
}

/** The description of the invoice, and its lines if there are several. */
export function Description({ invoice }: { invoice: Invoice }) {
  const config = useConfig();
  const { description, lines, total } = invoice;
  return (
    <>
      {description}
      {lines.length > 1 && (
        <ul className="mt-1 text-sm text-muted">
          {lines.map((line) => {
            const [label, amount] = lineRow(line, total.currency, config);
            return (
              <li key={`${label} ${amount}`}>
                {`${label}, `}
                <span className={amountClass}>{amount}</span>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

/** Downloads the document of an invoice. */
export function PdfButton({ invoice, download }: { invoice: Invoice; download: Download }) {
  return (
    <Button
      look="secondary"
      aria-label={`PDF of invoice ${invoice.number}`}
      busy={download.busy === invoice.id}
      unavailable={download.busy !== null && download.busy !== invoice.id}
      onClick={() => void download.download(invoice)}
    >
      <DownloadIcon aria-hidden size={18} /> PDF
    </Button>
  );
}

/** Whether any invoice can be downloaded. */
export function useAnyPdf(invoices: readonly Invoice[]): boolean {
  return can(useConfig(), 'invoice_pdf') && invoices.some(({ hasPdf }) => hasPdf);
}
