import { useMutation } from '@tanstack/react-query';
import { Download as DownloadIcon } from 'lucide-react';
import { useState } from 'react';
import { getInvoicePdf, type Invoice } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { isoDate } from '@/lib/intl/iso-date';
import { saveFile } from '@/lib/save-file';
import { type ZipEntry, zipFile } from '@/lib/zip-file';
import { fileName, loadSelected, type Selection } from './invoice-selection';

/** The largest number of documents in a ZIP file, which is made in the memory of the browser. */
const maxDocuments = 100;

/** Downloads the documents of the selected invoices of all pages as a ZIP file. Without one document there is no file. */
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
  let invoices: Invoice[];
  try {
    invoices = (await loadSelected(selection)).filter(({ hasPdf }) => hasPdf);
  } catch {
    return 'The invoices could not be loaded. Please try again later!';
  }
  if (invoices.length === 0) return 'None of these invoices has a PDF.';
  if (invoices.length > maxDocuments) {
    return `A ZIP file has at most ${maxDocuments} invoices. Please select a year.`;
  }
  const entries: ZipEntry[] = [];
  for (const invoice of invoices) {
    report(`${entries.length + 1} of ${invoices.length}`);
    try {
      entries.push(await loadEntry(invoice));
    } catch {
      return `The PDF of ${invoice.number || 'an invoice'} could not be loaded. Please try again later!`;
    }
  }
  await saveFile(zipFile(entries), fileName(selection.filter, 'zip'));
  return null;
}

async function loadEntry({ id, number, createdAt, timeZone }: Invoice): Promise<ZipEntry> {
  const document = await getInvoicePdf(id);
  return {
    name: `invoice-${(number || id).replace(/[^\w-]/g, '')}.pdf`,
    date: isoDate(new Date(createdAt), timeZone),
    data: new Uint8Array(await document.arrayBuffer()),
  };
}
