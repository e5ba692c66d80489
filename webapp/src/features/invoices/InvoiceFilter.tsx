import { useMutation } from '@tanstack/react-query';
import { Download as DownloadIcon } from 'lucide-react';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { Select } from '@/components/Select';
import { saveFile } from '@/lib/save-file';
import { headlineOf } from '@/modules/billing/invoice-text';
import { useConfig } from '@/modules/config/config-store';
import { csvFile, invoiceCsv } from './invoice-csv';
import {
  calendarYearOf,
  type Filter,
  fileName,
  financialYearOf,
  financialYearText,
  loadSelected,
  type Selection,
} from './invoice-selection';
import { ZipButton } from './ZipButton';

const withoutDuplicates = (texts: string[]): string[] => [...new Set(texts)];

interface InvoiceFilterProps extends Selection {
  onChange: (filter: Filter) => void;
}

/** The fields that select a year and a status, and buttons that download the selected invoices. */
export function InvoiceFilter({ onChange, ...selection }: InvoiceFilterProps) {
  const { invoices, filter, openPayment } = selection;
  const statuses = invoices.map((invoice) => headlineOf(invoice, openPayment).label);
  const hasPdf = invoices.some((invoice) => invoice.hasPdf);
  return (
    <div className="mt-4 flex flex-wrap items-end gap-x-4 gap-y-3">
      <Select
        label="Year"
        className="min-w-32 grow sm:grow-0"
        value={filter.year}
        onChange={(event) => onChange({ ...filter, year: event.target.value })}
      >
        <option value="">All years</option>
        <optgroup label="Calendar years">
          {withoutDuplicates(invoices.map(calendarYearOf)).map((year) => (
            <option key={year}>{year}</option>
          ))}
        </optgroup>
        <optgroup label="Financial years">
          {withoutDuplicates(invoices.map(financialYearOf)).map((year) => (
            <option key={year} value={year}>
              {financialYearText(year)}
            </option>
          ))}
        </optgroup>
      </Select>
      <Select
        label="Status"
        className="min-w-40 grow sm:grow-0"
        value={filter.status}
        onChange={(event) => onChange({ ...filter, status: event.target.value })}
      >
        <option value="">All statuses</option>
        {withoutDuplicates(statuses).map((label) => (
          <option key={label}>{label}</option>
        ))}
      </Select>
      <div className="-mx-4 flex flex-wrap sm:ml-auto">
        {hasPdf && <ZipButton {...selection} />}
        <CsvButton {...selection} />
      </div>
    </div>
  );
}

/** Downloads the selected invoices of all pages as CSV. */
function CsvButton(selection: Selection) {
  const config = useConfig();
  const { mutate, status } = useMutation({
    mutationFn: async () => {
      const csv = invoiceCsv(await loadSelected(selection), config, selection.openPayment);
      await saveFile(csvFile(csv), fileName(selection.filter, 'csv'));
    },
    meta: { failure: 'The invoices could not be loaded' },
  });

  return (
    <>
      <Button variant="quiet" busy={status === 'pending'} onClick={() => mutate()}>
        <span className="flex items-center gap-2">
          <DownloadIcon aria-hidden size={18} /> Download CSV
        </span>
      </Button>
      {status === 'error' && (
        <Notice tone="danger" className="mx-4 w-full" title="Please try again later!">
          <p>The invoices could not be loaded.</p>
        </Notice>
      )}
    </>
  );
}
