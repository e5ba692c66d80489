import type { Config, Invoice, Money, OpenPayment } from '@/api';
import type { TimeZone } from '@/modules/session/dates';
import {
  amountBreakdown,
  type BreakdownRow,
  type InvoiceAmounts,
  remainingOf,
} from '@/rules/amount-breakdown';
import { type AmountFormat, amountFormat } from './amount-text';
import { dateText } from './plan-text';

type Tone = 'success' | 'attention' | 'danger' | 'neutral';

const statuses: Record<Invoice['status'], { label: string; tone: Tone }> = {
  draft: { label: 'In preparation', tone: 'neutral' },
  open: { label: 'To be paid', tone: 'attention' },
  paid: { label: 'Paid', tone: 'success' },
  void: { label: 'Cancelled', tone: 'neutral' },
  uncollectible: { label: 'Not paid', tone: 'danger' },
};

/** The status of an open invoice with a processing payment. */
const processingStatus = { label: 'On its way', tone: 'attention' } as const;

/** The status of an open invoice that should have been paid. */
const overdueStatus = { label: 'Payment overdue', tone: 'danger' } as const;

/**
 * Whether the open payment is the overdue payment of this invoice. A payment that only waits for an approval is not
 * overdue.
 */
export function isOverdue({ id }: Invoice, payment: OpenPayment | null): boolean {
  const isOverdueKind = payment?.kind === 'overdue' || payment?.kind === 'owed';
  return isOverdueKind && payment.invoiceId === id && !payment.approval;
}

/** The status of an invoice and its amount, paid or to be paid, as lists show them. */
interface Headline {
  label: string;
  tone: Tone;
  /** Negative for a credit. */
  amount: Money;
}

/** Returns the headline of an invoice: 'Paid $7.35', 'To be paid $516', 'Refunded $39', 'Credited −$68'. */
export function headlineOf(invoice: Invoice, openPayment: OpenPayment | null): Headline {
  const { status, total } = invoice;
  const { creditUsed, carriedForward = 0, amountDue, amountPaid, refunded } = amountsOf(invoice);
  const headline = (label: string, tone: Tone, amount: number) => ({
    label,
    tone,
    amount: { ...total, amount },
  });
  const { label, tone } = statusOf(invoice, openPayment);
  if (status === 'open' || status === 'uncollectible' || status === 'draft') {
    return headline(label, tone, dueOf(invoice));
  }
  if (status === 'void') return headline(label, tone, total.amount);
  if (total.amount === 0) return headline('No charge', 'neutral', 0);
  if (total.amount < 0) return headline('Credited', 'success', total.amount);
  if (refunded > 0 && refunded === amountPaid) return headline('Refunded', 'neutral', refunded);
  if (amountDue === 0) {
    if (carriedForward > 0)
      return headline('Carried to the next invoice', 'neutral', carriedForward);
    return creditUsed > 0
      ? headline('Paid with credit', 'success', creditUsed)
      : headline('No charge', 'neutral', 0);
  }
  return headline(label, tone, amountPaid || amountDue);
}

function statusOf(
  invoice: Invoice,
  openPayment: OpenPayment | null,
): { label: string; tone: Tone } {
  if (invoice.processing) return processingStatus;
  return invoice.status === 'open' && isOverdue(invoice, openPayment)
    ? overdueStatus
    : statuses[invoice.status];
}

/** Whether an invoice is a credit note: its total became the customer's credit. */
export const isCreditNote = ({ total }: Invoice): boolean => total.amount < 0;

/** Returns the kind of the document, with the title that it has as PDF: 'Tax invoice', 'Credit note'. */
export function documentTitle(invoice: Invoice): string {
  if (isCreditNote(invoice)) return 'Credit note';
  return invoice.taxName ? 'Tax invoice' : 'Invoice';
}

/** Returns the purpose of an invoice: 'Professional', or 'Change to Standard' for the credit of a plan change. */
export function descriptionOf(invoice: Invoice): string {
  const { description, lines } = invoice;
  const isChange = isCreditNote(invoice) && lines.some(({ amount }) => amount > 0);
  return isChange ? `Change to ${description}` : description;
}

/**
 * Returns the parts of the total that the status of an invoice does not describe: '$84 by credit', '$516 to be paid',
 * '$300 refunded', '$10 returned as credit'.
 */
export const partTexts = (invoice: Invoice, { symbolText }: AmountFormat): string[] =>
  partsOf(invoice).map(([amount, text]) => `${symbolText({ ...invoice.total, amount })} ${text}`);

function partsOf(invoice: Invoice): [number, string][] {
  const amounts = amountsOf(invoice);
  const { total, creditUsed, amountPaid, refunded, credited } = amounts;
  const due = dueOf(invoice);
  const deduction = amountBreakdown(amounts).rows.find(({ kind }) => kind === 'credit_note');
  const parts: [number, string][] = [
    [total > 0 ? creditUsed : 0, 'by credit'],
    [-(deduction?.amount ?? 0), 'by credit note'],
    [due, 'to be paid'],
    [refunded === amountPaid ? 0 : refunded, 'refunded'],
    [credited, 'returned as credit'],
  ];
  const disputed = disputedOf(invoice);
  const shownParts = parts.filter(([amount]) => amount > 0 && amount !== total);
  return disputed > 0 ? [...shownParts, [disputed, 'disputed']] : shownParts;
}

/**
 * Returns the amount of an invoice's payments, in minor units, that banks have taken back because they were disputed,
 * without the disputes that were won.
 */
export const disputedOf = ({ movements = [] }: Invoice): number =>
  movements
    .filter(({ kind }) => kind === 'dispute' || kind === 'dispute_won')
    .reduce((sum, { amount }) => sum + amount.amount, 0);

/** Returns the breakdown of an invoice's total as labels and amounts; empty if the total is sufficient. */
export const breakdownRows = (invoice: Invoice, format: AmountFormat): [string, string][] =>
  listBreakdownRows(invoice).map(rowFormatter(invoice.total.currency, format));

/**
 * Returns the rows of the breakdown in a list of invoices, with the disputes and the numbered credit notes. An invoice that
 * has such movements always has a breakdown.
 */
function listBreakdownRows(invoice: Invoice): LabelledAmount[] {
  const movements = (invoice.movements ?? [])
    .filter(({ kind, creditNote }) => kind.startsWith('dispute') || creditNote)
    .map(({ label, amount, creditNote }) => ({
      label: creditNote ? `${label} ${creditNote}` : label,
      amount: amount.amount,
    }));
  if (movements.length === 0) return rowsBesidesTotal(amountsOf(invoice));
  const { rows } = amountBreakdown(amountsOf(invoice));
  return [...rows.filter(isNotDue), ...movements, ...rows.filter((row) => !isNotDue(row))];
}

type LabelledAmount = Pick<BreakdownRow, 'label' | 'amount'>;

/** Returns the format of a list of invoices that shows their totals and breakdowns. */
export function invoiceListFormat(invoices: readonly Invoice[], config: Currencies): AmountFormat {
  const amounts = invoices.flatMap((invoice) => [
    invoice.total,
    ...listBreakdownRows(invoice).map(({ amount }) => ({ ...invoice.total, amount })),
  ]);
  return amountFormat(config, amounts);
}

/** Returns the format of a list of invoices that shows their totals and partTexts. */
export function headlineListFormat(invoices: readonly Invoice[], config: Currencies): AmountFormat {
  const amounts = invoices.flatMap((invoice) => [
    invoice.total,
    ...partsOf(invoice).map(([amount]) => ({ ...invoice.total, amount })),
  ]);
  return amountFormat(config, amounts);
}

/** Returns the amount of an invoice that is still to be paid, in minor units. */
export const dueOf = (invoice: Invoice): number => remainingOf(amountsOf(invoice));

/** Returns the amount of an invoice that is due with the next one, in minor units. */
export const carriedForwardOf = (invoice: Invoice): number =>
  amountsOf(invoice).carriedForward ?? 0;

/** Whether a payment or credit has paid the invoice. An amount that is too small to be charged is not paid. */
export function wasPaid(invoice: Invoice): boolean {
  const { total, creditUsed, amountDue } = amountsOf(invoice);
  return invoice.status === 'paid' && total > 0 && (amountDue > 0 || creditUsed > 0);
}

/** Returns the rows of the breakdown of an invoice's total, without the amount due. */
export const rowsWithoutDue = (invoice: Invoice): BreakdownRow[] =>
  amountBreakdown(amountsOf(invoice)).rows.filter(isNotDue);

const isNotDue = ({ kind }: BreakdownRow): boolean => kind !== 'due';

/** The amounts of an open invoice. `amount` is the part that is still to be paid. */
type OpenAmounts = Pick<OpenPayment, 'amount' | 'total' | 'creditUsed' | 'amountPaid' | 'currency'>;

/** Returns the format of the amounts of an open payment. */
export function openPaymentFormat(payment: OpenAmounts, config: Currencies): AmountFormat {
  const { amount, total, creditUsed, amountPaid, currency } = payment;
  const isReported = total !== null && total !== undefined;
  const amounts = isReported ? [amount, total, creditUsed ?? 0, amountPaid ?? 0] : [amount];
  return amountFormat(
    config,
    amounts.map((minor) => ({ amount: minor, currency })),
  );
}

/**
 * Returns the total of an open payment and the amounts that reduce it, with labels; empty if nothing reduces it, or if
 * the server does not report the total.
 */
export function openPaymentRows(payment: OpenAmounts, config: Currencies): [string, string][] {
  const { amount, total, creditUsed = 0, amountPaid = 0, currency } = payment;
  if (total === null || total === undefined) return [];
  const amountDue = amount + amountPaid;
  const amounts = { status: 'open', total, creditUsed, amountDue, amountPaid, refunded: 0 };
  const format = openPaymentFormat(payment, config);
  const rows = rowsBesidesTotal({ ...amounts, credited: 0 })
    .filter(isNotDue)
    .map(rowFormatter(currency, format));
  const totalRow: [string, string] = ['Total', format.symbolText({ amount: total, currency })];
  return rows.length === 0 ? [] : [totalRow, ...rows];
}

type Currencies = Pick<Config, 'currencies'>;

/** Returns the rows of the breakdown; none if the total is sufficient. */
function rowsBesidesTotal(amounts: InvoiceAmounts): BreakdownRow[] {
  const { isTotalSufficient, rows } = amountBreakdown(amounts);
  return isTotalSufficient ? [] : rows;
}

/** Returns a function that formats a row as its label and amount. */
const rowFormatter =
  (currency: string, { symbolText }: AmountFormat) =>
  ({ label, amount }: LabelledAmount): [string, string] => [
    label,
    symbolText({ amount, currency }),
  ];

/** Returns the amounts of an invoice. If the server reports no credit, it is derived from the amount due. */
function amountsOf(invoice: Invoice): InvoiceAmounts {
  const { status, total, amountDue, amountPaid, creditUsed } = invoice;
  const { carriedForward, refunded, credited } = invoice;
  const difference = status === 'void' ? 0 : total.amount - amountDue.amount;
  return {
    status,
    total: total.amount,
    creditUsed: creditUsed?.amount ?? difference,
    carriedForward: carriedForward?.amount ?? 0,
    amountDue: amountDue.amount,
    amountPaid: amountPaid.amount,
    refunded: refunded?.amount ?? 0,
    credited: credited?.amount ?? 0,
  };
}

/** Whether the total of an invoice is zero, such as the total of a trial's first invoice. */
export const hasZeroTotal = ({ total }: Invoice): boolean => total.amount === 0;

/**
 * Returns the text in place of an empty list. `hasZeroTotals` is true if the list leaves out invoices with a total of zero.
 */
export function noInvoicesText(
  hasZeroTotals: boolean,
  next: { at: string } | null,
  timeZone: TimeZone,
): string {
  if (next) {
    return `Your first invoice ${hasZeroTotals ? 'with a charge ' : ''}comes on ${dateText(next.at, timeZone)}`;
  }
  return hasZeroTotals ? 'You have only invoices without a charge' : 'You have no invoices yet';
}

/** Returns the name of the tax in a currency's prices: 'GST'. */
export const taxName = ({ currency }: Money, { catalogue }: Pick<Config, 'catalogue'>): string =>
  catalogue.taxes?.[currency]?.name ?? 'tax';

/** Returns the name of an invoice's tax, with its percentage if the server reports it: 'GST 10 %'. */
export const taxLabel = ({ taxName: label, tax }: Invoice, config: Config): string =>
  label ?? taxName(tax, config);
