import type { Invoice, InvoiceLine } from '@/api';
import { longDate } from '@/modules/session/dates';

interface LineTableProps {
  invoice: Invoice;
  /** Formats an amount in minor units. */
  format: (minor: number) => string;
}

/**
 * The lines of an invoice, each with its description, period and amount. The table scrolls sideways if large text makes it
 * wider than a phone.
 */
export const LineTable = ({ invoice, format }: LineTableProps) => (
  <div className="overflow-x-auto print:overflow-visible">
    <table className="w-full">
      <caption className="sr-only">Lines of the invoice</caption>
      <thead>
        <tr className="border-b border-line text-sm text-muted">
          <th scope="col" className="pb-2 text-left font-normal">
            Description
          </th>
          <th scope="col" className="pb-2 pl-4 text-right font-normal">
            Amount
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line align-top">
        {invoice.lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no ids and are never reordered
          <tr key={index}>
            <td className="py-3 wrap-anywhere">
              <span>{line.description}</span>
              <span className="block text-sm text-muted empty:hidden">
                {periodText(line, invoice.timeZone)}
              </span>
            </td>
            <td className="figures whitespace-nowrap py-3 pl-4 text-right">
              {format(line.amount)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Returns '26 May 2027 to 26 May 2028'; empty if a date is missing. */
function periodText({ period: { start, end } }: InvoiceLine, timeZone?: string): string {
  if (!start || !end) return '';
  return `${longDate(new Date(start), timeZone)} to ${longDate(new Date(end), timeZone)}`;
}
