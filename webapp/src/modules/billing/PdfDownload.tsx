import { useMutation } from '@tanstack/react-query';
import { Download as DownloadIcon } from 'lucide-react';
import { getCreditNotePdf, getInvoicePdf, type Invoice } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { serverMessageOf } from '@/lib/failure-message';
import { saveFile } from '@/lib/save-file';

/** The download of an invoice's document. Only one download runs at a time. */
export interface PdfDownload {
  start: (invoice: Invoice) => void;
  /** The id of the invoice that is being downloaded; null if none is. */
  busyId: string | null;
  /** The message of the last download if it failed; null otherwise. */
  failure: string | null;
}

export function usePdfDownload(): PdfDownload {
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async ({ id, number }: Invoice) =>
      saveFile(await getInvoicePdf(id), `invoice-${number || id}.pdf`),
    meta: { failure: 'The invoice could not be downloaded' },
  });
  return {
    start: mutate,
    busyId: isPending ? variables.id : null,
    failure: error && serverMessageOf(error),
  };
}

interface PdfButtonProps {
  invoice: Invoice;
  download: PdfDownload;
  /** Whether the button shows only an icon, for the rows of a list. */
  iconOnly?: boolean;
}

export const PdfButton = ({ invoice, download, iconOnly }: PdfButtonProps) => (
  <Button
    variant={iconOnly ? 'quiet' : 'secondary'}
    aria-label={`Download PDF of ${invoice.number || 'the invoice'}`}
    busy={download.busyId === invoice.id}
    unavailable={download.busyId !== null && download.busyId !== invoice.id}
    onClick={() => download.start(invoice)}
  >
    <span className="flex items-center gap-2">
      <DownloadIcon aria-hidden size={18} />
      {!iconOnly && <span>PDF</span>}
    </span>
  </Button>
);

interface PdfFailureProps {
  download: PdfDownload;
  className: string;
}

/** The notice about a failed download; renders nothing without one. */
export const PdfFailure = ({ download: { failure }, className }: PdfFailureProps) =>
  failure && (
    <Notice tone="danger" className={className} title="The invoice could not be downloaded">
      <p>{failure}</p>
    </Notice>
  );

/** A credit note of an invoice that has a document. */
interface CreditNote {
  number: string;
  /** The time of its issue, if it is known. */
  at: string | null;
}

/** Returns the credit notes of an invoice that have documents. Several movements can have the same credit note. */
export function creditNotesOf({ movements = [] }: Invoice): CreditNote[] {
  const times = new Map(
    movements.flatMap(({ creditNote, at }) => (creditNote ? [[creditNote, at] as const] : [])),
  );
  return Array.from(times, ([number, at]) => ({ number, at }));
}

/** Downloads the credit notes of an invoice; renders nothing without any. */
export function CreditNoteButtons({ invoice }: { invoice: Invoice }) {
  const { id } = invoice;
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async (number: string) =>
      saveFile(await getCreditNotePdf(id, number), `credit-note-${number}.pdf`),
    meta: { failure: 'The credit note could not be downloaded' },
  });
  const creditNotes = creditNotesOf(invoice);
  if (creditNotes.length === 0) return null;
  return (
    <section className="mt-5 print:hidden">
      <h2 className="mb-3 text-lg">Credit notes</h2>
      {error && (
        <Notice tone="danger" className="mb-3" title="The credit note could not be downloaded">
          <p>{serverMessageOf(error)}</p>
        </Notice>
      )}
      <ul className="flex flex-wrap gap-3">
        {creditNotes.map(({ number }) => (
          <li key={number}>
            <Button
              variant="secondary"
              aria-label={`Download PDF of credit note ${number}`}
              busy={isPending && variables === number}
              unavailable={isPending && variables !== number}
              onClick={() => mutate(number)}
            >
              <span className="flex items-center gap-2">
                <DownloadIcon aria-hidden size={18} />
                <span translate="no">{number}</span>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
