import { useState } from 'react';
import { type ApiError, getInvoicePdf, type Invoice } from '@/api';
import { logFailure } from '@/lib/log';
import { refreshIfSessionOver } from '@/lib/session-store';

/** Downloads the documents of invoices, one at a time. */
export function useDownload() {
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function download({ id, number }: Invoice) {
    setBusy(id);
    setFailure(null);
    try {
      save(await getInvoicePdf(id), `invoice-${number || id}.pdf`);
    } catch (error) {
      logFailure('The invoice could not be downloaded', error);
      const { hasServerMessage, message } = error as ApiError;
      setFailure(hasServerMessage ? message : 'Please try again later!');
      void refreshIfSessionOver(error);
    }
    setBusy(null);
  }

  return { busy, failure, download };
}

export type Download = ReturnType<typeof useDownload>;

/** Saves a document as a file. */
function save(document_: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(document_);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
