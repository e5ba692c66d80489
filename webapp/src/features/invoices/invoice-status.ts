import type { Invoice, Money, OpenPayment } from '@/api';
import { carriedForwardOf, isOverdue, wasPaid } from '@/modules/billing/invoice-text';
import { longDate } from '@/modules/session/dates';

/**
 * Returns the sentence that states what is paid or due. `due` is the amount that is still to be paid. The PDF of the
 * invoice has the same sentence; both follow the test vectors `invoice-status`.
 */
export function invoiceStatusText(
  invoice: Invoice,
  openPayment: OpenPayment | null,
  due: string,
  amountText: (amount: Money) => string,
): string {
  const { status, total, paidAt } = invoice;
  const carriedForward = carriedForwardOf(invoice);
  switch (status) {
    case 'draft':
      return 'It is being prepared.';
    case 'void':
      return 'This invoice was cancelled. Nothing is due.';
    case 'open':
      if (invoice.processing) {
        return `The payment of ${due} is on its way. Please don’t pay a second time.`;
      }
      return `${due} ${dueText(invoice, openPayment)}`;
    case 'uncollectible':
      return `${due} was not paid.`;
    case 'paid':
      if (total.amount < 0) return 'It was added to your credit.';
      if (carriedForward > 0) {
        return `${amountText({ ...total, amount: carriedForward })} is carried to the next invoice. Nothing is due now.`;
      }
      return paidAt && wasPaid(invoice)
        ? `Paid on ${dateOf(invoice, paidAt)}. Nothing is due.`
        : 'Nothing is due.';
  }
}

/** Returns when an open invoice is or was due: 'is due on 8 January 2027.' */
function dueText(invoice: Invoice, openPayment: OpenPayment | null): string {
  const date = invoice.dueAt && dateOf(invoice, invoice.dueAt);
  if (isOverdue(invoice, openPayment))
    return date ? `is overdue. It was due on ${date}.` : 'is overdue.';
  return date ? `is due on ${date}.` : 'is due.';
}

/** Formats a date in the time zone of the invoice. */
export const dateOf = (invoice: Invoice, time: string): string =>
  longDate(new Date(time), invoice.timeZone);
