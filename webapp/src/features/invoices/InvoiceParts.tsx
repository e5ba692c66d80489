import { Download as DownloadIcon } from 'lucide-react';
import type { Config, Invoice } from '@/api';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { can } from '@/lib/capabilities';
import { headlineOf, settlementRows, taxText } from '@/lib/invoice-text';
import { amountText } from '@/lib/offer';
import { lineRow } from '@/lib/quote-text';
import type { Download } from './use-download';

/** The parts that the table and the cards share. */
export interface InvoiceListProps {
  config: Config;
  invoices: readonly Invoice[];
  download: Download;
}

export function Status({ invoice }: { invoice: Invoice }) {
  const { label, tone } = headlineOf(invoice);
  return <Badge tone={tone}>{label}</Badge>;
}

/** The total with the included tax, and how it is settled: by credit, payments and refunds. */
export function Total({ invoice, config }: { invoice: Invoice; config: Config }) {
  const rows = settlementRows(invoice, config).map(([label, amount]) => `${label} ${amount}`);
  const notes = [taxText(invoice, config), ...rows].filter(Boolean);
  return (
    <>
      <span className="figures inline-block max-w-full font-semibold">
        {amountText(config, invoice.total)}
      </span>
      {notes.map((note) => (
        <span key={note} className="figures block text-sm text-muted">
          {note}
        </span>
      ))}
    </>
  );
}

/** The description of the invoice, and its lines if there are several. */
export function Description({ invoice, config }: { invoice: Invoice; config: Config }) {
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
                <span className="figures inline-block max-w-full">{amount}</span>
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
export const anyPdf = ({ config, invoices }: InvoiceListProps): boolean =>
  can(config, 'invoice_pdf') && invoices.some(({ hasPdf }) => hasPdf);
