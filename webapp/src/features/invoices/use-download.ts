import { useState } from 'react';
import { type ApiError, getInvoicePdf, type Invoice } from '@/api';
import { logFailure } from '@/lib/log';
import { saveFile } from '@/lib/save-file';
import { refreshIfSessionOver } from '@/lib/session-store';

/** Downloads the documents of invoices, one at a time. */
export function useDownload() {
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function download({ id, number }: Invoice) {
    setBusy(id);
    setFailure(null);
    try {
      saveFile(await getInvoicePdf(id), `invoice-${number || id}.pdf`);
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
