import { useMutation } from '@tanstack/react-query';
import { Download as DownloadIcon } from 'lucide-react';
import { useState } from 'react';
import { getCreditNotePdf, getInvoicePdf, type Invoice } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { isoDate } from '@/lib/intl/iso-date';
import { saveFile } from '@/lib/save-file';
import { type ZipEntry, zipFile } from '@/lib/zip-file';
import { creditNotesOf } from '@/modules/billing/PdfDownload';
import { fileName, loadSelected, type Selection } from './invoice-selection';

/** The maximum number of documents in a ZIP file, which the browser builds in memory. */
const maxDocuments = 100;

/**
 * Downloads the documents of the selected invoices and of their credit notes as a ZIP file, also from pages that are not
 * loaded yet. There is no file if one of the documents can't be loaded.
 */
export function ZipButton(selection: Selection) {
  const [progress, setProgress] = useState('');
  const {
    mutate,
    isPending,
    data: problem,
  } = useMutation({
    mutationFn: () => saveDocuments(selection, setProgress),
    onSettled: () => setProgress(''),
  });

  return (
    <>
      <Button
        variant="quiet"
        busy={isPending}
        busyLabel={isPending ? progress || 'Loading...' : undefined}
        onClick={() => mutate()}
      >
        <span className="flex items-center gap-2">
          <DownloadIcon aria-hidden size={18} /> Download PDFs
        </span>
      </Button>
      {problem && (
        <Notice tone="danger" className="mx-4 w-full" title="The PDFs were not downloaded">
          <p>{problem}</p>
        </Notice>
      )}
    </>
  );
}

/** Saves the ZIP file, and reports the progress as text. Returns why there is no file, or null. */
async function saveDocuments(
  selection: Selection,
  report: (progress: string) => void,
): Promise<string | null> {
  let documents: PdfDocument[];
  try {
    documents = (await loadSelected(selection)).flatMap(documentsOf);
  } catch {
    return 'The invoices could not be loaded. Please try again later!';
  }
  if (documents.length === 0) return 'None of these invoices has a PDF.';
  if (documents.length > maxDocuments) {
    return `A ZIP file has at most ${maxDocuments} documents. Please select a year.`;
  }
  const entries: ZipEntry[] = [];
  for (const { name, date, title, load } of documents) {
    report(`${entries.length + 1} of ${documents.length}`);
    try {
      entries.push({ name, date, data: new Uint8Array(await (await load()).arrayBuffer()) });
    } catch {
      return `The PDF of ${title} could not be loaded. Please try again later!`;
    }
  }
  await saveFile(zipFile(entries), fileName(selection.filter, 'zip'));
  return null;
}

/** A document that can be loaded, with its file name and date in the ZIP file, and its title in messages. */
interface PdfDocument extends Pick<ZipEntry, 'name' | 'date'> {
  title: string;
  load: () => Promise<Blob>;
}

/** Returns the document of an invoice, if it has one, and those of its credit notes. */
function documentsOf(invoice: Invoice): PdfDocument[] {
  const { id, number, createdAt, timeZone, hasPdf } = invoice;
  const dateOf = (time: string) => isoDate(new Date(time), timeZone);
  const document: PdfDocument = {
    name: pdfName('invoice', number || id),
    date: dateOf(createdAt),
    title: number || 'an invoice',
    load: () => getInvoicePdf(id),
  };
  const creditNotes = creditNotesOf(invoice).map((creditNote) => ({
    name: pdfName('credit-note', creditNote.number),
    date: dateOf(creditNote.at ?? createdAt),
    title: `credit note ${creditNote.number}`,
    load: () => getCreditNotePdf(id, creditNote.number),
  }));
  return hasPdf ? [document, ...creditNotes] : creditNotes;
}

const pdfName = (kind: string, number: string) => `${kind}-${number.replace(/[^\w-]/g, '')}.pdf`;
