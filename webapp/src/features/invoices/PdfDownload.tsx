import { useMutation } from '@tanstack/react-query';
import { getInvoicePdf, type Invoice } from '@/api';
import { serverMessageOf } from '@/lib/failure-message';
import { saveFile } from '@/lib/save-file';

/** Downloads the documents of invoices, one at a time. */
export function useDownload() {
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async ({ id, number }: Invoice) =>
      saveFile(await getInvoicePdf(id), `invoice-${number || id}.pdf`),
    meta: { failure: 'The invoice could not be downloaded' },
  });
  return {
    download: mutate,
    /** The id of the invoice that is being downloaded; null for none. */
    busy: isPending ? variables.id : null,
    failure: error && serverMessageOf(error),
  };
}

export type Download = ReturnType<typeof useDownload>;
