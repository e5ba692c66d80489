import { cx } from '@/lib/cx';
import { mediumDate } from '@/modules/session/dates';
import {
  Description,
  type InvoiceListProps,
  NumberLink,
  StatusBadge,
  Total,
  useHasPdf,
  useListFormat,
} from './InvoiceParts';
import { PdfButton } from './PdfDownload';

const columnClass = 'px-3 first:pl-6 last:pr-6';
const headClass = `${columnClass} py-3`;

/** The list of invoices on wide screens, as a table. */
export function InvoiceTable({ invoices, download }: InvoiceListProps) {
  const hasPdf = useHasPdf(invoices);
  const format = useListFormat(invoices);
  // The larger padding aligns the first lines of the texts with the buttons in the rows.
  const cellClass = cx(columnClass, hasPdf ? 'pt-4.5 pb-3' : 'py-3');
  return (
    <div className="mt-6 rounded-card border border-line bg-surface">
      <table className="w-full border-collapse">
        <caption className="sr-only">Your invoices, newest first</caption>
        <thead>
          <tr className="border-b border-line text-left text-sm text-muted">
            {['Date', 'Number', 'Description'].map((name) => (
              <th key={name} scope="col" className={headClass}>
                {name}
              </th>
            ))}
            <th scope="col" className={`${headClass} text-right`}>
              Total
            </th>
            <th scope="col" className={`${headClass} pl-8`}>
              Status
            </th>
            {hasPdf && (
              <th scope="col" className={headClass}>
                <span className="sr-only">Document</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line align-top">
          {invoices.map((invoice) => (
            <tr key={invoice.id}>
              <td className={`${cellClass} whitespace-nowrap`}>
                {mediumDate(new Date(invoice.createdAt), invoice.timeZone)}
              </td>
              <td className={`${cellClass} figures whitespace-nowrap`}>
                <NumberLink invoice={invoice} />
              </td>
              <td className={cellClass}>
                <Description invoice={invoice} format={format} />
              </td>
              <td className={`${cellClass} text-right whitespace-nowrap`}>
                <Total invoice={invoice} format={format} />
              </td>
              <td className={`${cellClass} pl-8 whitespace-nowrap`}>
                <StatusBadge invoice={invoice} />
              </td>
              {hasPdf && (
                <td className={`${columnClass} py-2 text-right`}>
                  {invoice.hasPdf && <PdfButton invoice={invoice} download={download} />}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
