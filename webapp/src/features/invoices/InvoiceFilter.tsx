import { useMutation } from '@tanstack/react-query';
import { Download as DownloadIcon } from 'lucide-react';
import { type Invoice, invoicePages } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { Select } from '@/components/Select';
import { isoDate } from '@/lib/intl/iso-date';
import { saveFile } from '@/lib/save-file';
import { headlineOf } from '@/modules/billing/invoice-text';
import { useConfig } from '@/modules/config/config-store';
import { invoiceCsv } from './invoice-csv';

/** The year and status of the selected invoices; an empty text selects all. */
export interface Filter {
  year: string;
  status: string;
}

export const noFilter: Filter = { year: '', status: '' };

/** Returns the invoices that a filter selects. */
export const selectInvoices = (invoices: readonly Invoice[], { year, status }: Filter): Invoice[] =>
  invoices.filter(
    (invoice) =>
      (!year || yearOf(invoice) === year) && (!status || headlineOf(invoice).label === status),
  );

/** Returns the year of an invoice in its time zone. */
const yearOf = ({ createdAt, timeZone }: Invoice): string =>
  isoDate(new Date(createdAt), timeZone).slice(0, 4);

const withoutDuplicates = (texts: string[]): string[] => [...new Set(texts)];

interface InvoiceFilterProps {
  invoices: readonly Invoice[];
  hasMore: boolean;
  filter: Filter;
  onChange: (filter: Filter) => void;
}

/** The fields that select a year and a status, and a button that downloads the selected invoices. */
export function InvoiceFilter(props: InvoiceFilterProps) {
  const { invoices, filter, onChange } = props;
  return (
    <div className="mt-4 flex flex-wrap items-end gap-x-4 gap-y-3">
      <Select
        label="Year"
        className="min-w-32 grow sm:grow-0"
        value={filter.year}
        onChange={(event) => onChange({ ...filter, year: event.target.value })}
      >
        <option value="">All years</option>
        {withoutDuplicates(invoices.map(yearOf)).map((year) => (
          <option key={year}>{year}</option>
        ))}
      </Select>
      <Select
        label="Status"
        className="min-w-40 grow sm:grow-0"
        value={filter.status}
        onChange={(event) => onChange({ ...filter, status: event.target.value })}
      >
        <option value="">All statuses</option>
        {withoutDuplicates(invoices.map((invoice) => headlineOf(invoice).label)).map((label) => (
          <option key={label}>{label}</option>
        ))}
      </Select>
      <CsvButton {...props} />
    </div>
  );
}

/** Returns these invoices and, if there are more, those of the following pages. */
async function loadAll(invoices: readonly Invoice[], hasMore: boolean): Promise<Invoice[]> {
  const allInvoices = [...invoices];
  if (!hasMore) return allInvoices;
  for await (const page of invoicePages(invoices.at(-1)?.id)) allInvoices.push(...page);
  return allInvoices;
}

/** Downloads the selected invoices of all pages as CSV. */
function CsvButton({ invoices, hasMore, filter }: InvoiceFilterProps) {
  const config = useConfig();
  const { mutate, status } = useMutation({
    mutationFn: async () => {
      const csv = invoiceCsv(selectInvoices(await loadAll(invoices, hasMore), filter), config);
      const name = ['invoices', filter.year].filter(Boolean).join('-');
      await saveFile(new Blob([csv], { type: 'text/csv;charset=utf-8' }), `${name}.csv`);
    },
    meta: { failure: 'The invoices could not be loaded' },
  });

  return (
    <>
      <Button
        variant="quiet"
        className="-ml-4 sm:-mr-4 sm:ml-auto"
        busy={status === 'pending'}
        onClick={() => mutate()}
      >
        <span className="flex items-center gap-2">
          <DownloadIcon aria-hidden size={18} /> Download CSV
        </span>
      </Button>
      {status === 'error' && (
        <Notice tone="danger" className="w-full" title="Please try again later!">
          <p>The invoices could not be loaded.</p>
        </Notice>
      )}
    </>
  );
}
