import type { Config, Invoice, Money, OpenPayment } from '@/api';
import { isoDate } from '@/lib/intl/iso-date';
import {
  descriptionOf,
  disputedOf,
  dueOf,
  headlineOf,
  isCreditNote,
  taxLabel,
} from '@/modules/billing/invoice-text';
import { decimalOf } from '@/rules/money';
import { paymentRows } from './payment-rows';

const header = [
  ...['Date', 'Number', 'Description', 'Status', 'Currency'],
  ...[
    'Total',
    'Tax included',
    'Credit used',
    'Carried to the next invoice',
    'Paid',
    'Refunded',
    'Disputed',
    'Due',
  ],
];

/**
 * Returns invoices as a CSV document (RFC 4180). Amounts are plain decimals; dates are ISO dates in the time zone of
 * the invoice.
 */
export function invoiceCsv(
  invoices: readonly Invoice[],
  config: Config,
  openPayment: OpenPayment | null,
): string {
  const rows = invoices.map((invoice) => {
    const { createdAt, timeZone, number, total, tax } = invoice;
    const { creditUsed, carriedForward, amountPaid, refunded } = invoice;
    const disputed = invoice.movements && { ...total, amount: disputedOf(invoice) };
    const amountDue = { ...total, amount: dueOf(invoice) };
    const amounts = [
      ...[total, tax, creditUsed, carriedForward],
      ...[amountPaid, refunded, disputed, amountDue],
    ];
    return [
      isoDate(new Date(createdAt), timeZone),
      ...[number, descriptionOf(invoice), headlineOf(invoice, openPayment).label].map(
        escapeFormula,
      ),
      total.currency,
      ...amounts.map((amount) => decimalText(amount, config)),
    ];
  });
  return csvDocument([header, ...rows]);
}

/**
 * Returns an invoice as a CSV document: the lines, which add up to the total, the included tax, and the amounts that settled
 * the invoice.
 */
export function invoiceDetailsCsv(invoice: Invoice, config: Config): string {
  const { createdAt, timeZone, number, total, lines, tax } = invoice;
  const isoText = (time?: string | null) => (time ? isoDate(new Date(time), timeZone) : '');
  const row = (part: string, amount: number, cells: Partial<DetailCells> = {}) => [
    isoText(cells.date ?? createdAt),
    ...[number, part, cells.description ?? ''].map(escapeFormula),
    ...[isoText(cells.from), isoText(cells.to), total.currency],
    decimalText({ ...total, amount }, config),
  ];
  const settlement = paymentRows(invoice).map(({ label, amount, at, method, creditNote }) =>
    row(label, amount, {
      date: at ?? createdAt,
      description: (method || creditNote).replaceAll('\u00a0', ' '),
    }),
  );
  return csvDocument([
    ['Date', 'Number', 'Part', 'Description', 'From', 'To', 'Currency', 'Amount'],
    ...lines.map(({ description, amount, period: { start, end } }) =>
      row('Line', amount, { description, from: start, to: end }),
    ),
    row('Total', total.amount),
    ...(tax.amount === 0
      ? []
      : [row('Tax included', tax.amount, { description: taxLabel(invoice, config) })]),
    ...settlement,
    ...(isCreditNote(invoice) ? [] : [row('Amount due', dueOf(invoice))]),
  ]);
}

interface DetailCells {
  date: string;
  description: string;
  from: string | null;
  to: string | null;
}

/** Returns a CSV document as a file. */
export const csvFile = (csv: string): Blob => new Blob([csv], { type: 'text/csv;charset=utf-8' });

const csvDocument = (rows: string[][]): string =>
  rows.map((row) => `${row.map(quoteCell).join(',')}\r\n`).join('');

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
