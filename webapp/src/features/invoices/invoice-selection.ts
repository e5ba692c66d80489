import { type Invoice, invoicePages, type OpenPayment } from '@/api';
import { isoDate } from '@/lib/intl/iso-date';
import { headlineOf } from '@/modules/billing/invoice-text';

/** The period and status of the selected invoices; an empty text selects all. */
export interface Filter {
  /** A calendar year, '2026', or the months of a financial year that begins in July, '2026-07-to-2027-06'. */
  year: string;
  status: string;
}

export const noFilter: Filter = { year: '', status: '' };

/** Returns the invoices that a filter selects. */
export const selectInvoices = (
  invoices: readonly Invoice[],
  { year, status }: Filter,
  openPayment: OpenPayment | null,
): Invoice[] =>
  invoices.filter(
    (invoice) =>
      (!year || year === calendarYearOf(invoice) || year === financialYearOf(invoice)) &&
      (!status || headlineOf(invoice, openPayment).label === status),
  );

/** Returns the calendar year of an invoice in its time zone, which is the organisation's. */
export const calendarYearOf = (invoice: Invoice): string => dateOf(invoice).slice(0, 4);

/** Returns the first and last month of the financial year of an invoice in its time zone: '2026-07-to-2027-06'. */
export function financialYearOf(invoice: Invoice): string {
  const [year = 0, month = 0] = dateOf(invoice).split('-').map(Number);
  const start = month < 7 ? year - 1 : year;
  return `${start}-07-to-${start + 1}-06`;
}

/** Returns the text of a financial year: '2026–27, July to June'. */
export const financialYearText = (year: string): string =>
  `${year.slice(0, 4)}–${year.slice(13, 15)}, July to June`;

const dateOf = ({ createdAt, timeZone }: Invoice): string => isoDate(new Date(createdAt), timeZone);

/** The loaded invoices and the filter of the list. */
export interface Selection {
  invoices: readonly Invoice[];
  /** Whether the server has more invoices. */
  hasMore: boolean;
  filter: Filter;
  /** The user's open payment, which may be overdue. */
  openPayment: OpenPayment | null;
}

/** Returns the selected invoices, after loading those of the following pages. */
export async function loadSelected({
  invoices,
  hasMore,
  filter,
  openPayment,
}: Selection): Promise<Invoice[]> {
  const allInvoices = [...invoices];
  if (hasMore) {
    for await (const page of invoicePages(invoices.at(-1)?.id)) allInvoices.push(...page);
  }
  return selectInvoices(allInvoices, filter, openPayment);
}

/** Returns the name of a file with the selected invoices: 'invoices-2026.csv'. */
export const fileName = ({ year }: Filter, extension: string): string =>
  `${['invoices', year].filter(Boolean).join('-')}.${extension}`;
