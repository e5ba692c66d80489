import type { Config, Invoice, Money } from '@/api';
import { isoDate } from '@/lib/intl/iso-date';
import { descriptionOf, dueOf, headlineOf } from '@/modules/billing/invoice-text';
import { decimalOf } from '@/rules/money';

const header = [
  ...['Date', 'Number', 'Description', 'Status', 'Currency'],
  ...[
    'Total',
    'Tax included',
    'Credit used',
    'Carried to the next bill',
    'Paid',
    'Refunded',
    'Due',
  ],
];

/**
 * Returns invoices as a CSV document (RFC 4180). Amounts are plain decimals; dates are ISO dates in the time zone of
 * the invoice.
 */
export function invoiceCsv(invoices: readonly Invoice[], config: Config): string {
  const rows = invoices.map((invoice) => {
    const { createdAt, timeZone, number, total, tax } = invoice;
    const { creditUsed, carriedForward, amountPaid, refunded } = invoice;
    const amountDue = { ...total, amount: dueOf(invoice) };
    const amounts = [total, tax, creditUsed, carriedForward, amountPaid, refunded, amountDue];
    return [
      isoDate(new Date(createdAt), timeZone),
      ...[number, descriptionOf(invoice), headlineOf(invoice).label].map(escapeFormula),
      total.currency,
      ...amounts.map((amount) => decimalText(amount, config)),
    ];
  });
  return [header, ...rows].map((row) => `${row.map(quoteCell).join(',')}\r\n`).join('');
}

function decimalText(money: Money | undefined, { currencies }: Config): string {
  if (!money) return '';
  const currency = currencies.find(({ code }) => code === money.currency);
  return decimalOf(money.amount, currency?.minor_digits ?? 2).replace(/\.$/, '');
}

/** Prefixes a text with an apostrophe if a spreadsheet would evaluate it as a formula. */
const escapeFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

/** Quotes a cell if its text requires it. */
const quoteCell = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
