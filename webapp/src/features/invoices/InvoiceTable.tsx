import { mediumDate } from '@/modules/session/dates';
import {
  Description,
  type InvoiceListProps,
  NumberLink,
  PdfButton,
  Status,
  Total,
  useAnyPdf,
} from './InvoiceParts';

const cell = 'px-3 py-3 first:pl-6 last:pr-6';

/** The invoices on a wide screen. */
export function InvoiceTable({ invoices, download }: InvoiceListProps) {
  const pdf = useAnyPdf(invoices);
  return (
    <div className="mt-6 rounded-card border border-line bg-surface">
      <table className="w-full border-collapse">
        <caption className="sr-only">Your invoices, newest first</caption>
        <thead>
          <tr className="border-b border-line text-left text-sm text-muted">
            {['Date', 'Number', 'Description'].map((name) => (
              <th key={name} scope="col" className={cell}>
                {name}
              </th>
            ))}
            <th scope="col" className={`${cell} text-right`}>
              Total
            </th>
            <th scope="col" className={`${cell} pl-8`}>
              Status
            </th>
            {pdf && (
              <th scope="col" className={cell}>
                <span className="sr-only">Document</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line align-top">
          {invoices.map((invoice) => (
            <tr key={invoice.id}>
              <td className={`${cell} whitespace-nowrap`}>
                {mediumDate(new Date(invoice.createdAt), invoice.timeZone)}
              </td>
              <td className={`${cell} figures whitespace-nowrap`}>
                <NumberLink invoice={invoice} />
              </td>
              <td className={cell}>
                <Description invoice={invoice} />
              </td>
              <td className={`${cell} text-right whitespace-nowrap`}>
                <Total invoice={invoice} />
              </td>
              <td className={`${cell} pl-8 whitespace-nowrap`}>
                <Status invoice={invoice} />
              </td>
              {pdf && (
                <td className={`${cell} py-2 text-right`}>
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
