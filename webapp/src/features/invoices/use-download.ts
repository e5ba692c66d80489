import { useState } from 'react';
import { getInvoicePdf, type Invoice } from '@/api';
import { serverMessageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { saveFile } from '@/lib/save-file';
import { refreshIfSessionOver } from '@/modules/session/session-store';

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
      setFailure(serverMessageOf(error));
      void refreshIfSessionOver(error);
    }
    setBusy(null);
  }

  return { busy, failure, download };
}

export type Download = ReturnType<typeof useDownload>;
