import type { Invoice, PaidMethod } from '@/api';
import { rowsWithoutDue } from '@/modules/billing/invoice-text';
import { methodText } from '@/modules/billing/method-text';

/** A row of the payments of an invoice. The total and the amounts of all rows add up to the amount due. */
interface PaymentRow {
  kind: string;
  label: string;
  /** In minor units; negative if it reduces the amount to be paid. */
  amount: number;
  /** The time, if it is known. */
  at: string | null;
  /** The name of the payment method; empty if it is not known. */
  method: string;
  /** The number of the credit note, if it has a document; empty otherwise. */
  creditNote: string;
}

/**
 * Returns how the total of an invoice was settled: the movements that the server reports. Without movements, derives the
 * rows from the amounts. Lists the single payments if the server reports all of them.
 */
export function paymentRows(invoice: Invoice): PaymentRow[] {
  const { movements, received = [], paidAt } = invoice;
  if (movements) {
    return movements.map(({ kind, label, amount, at, method, creditNote = '' }) => ({
      ...{ kind, label, at, creditNote },
      amount: amount.amount,
      method: nameOf(method),
    }));
  }
  const receivedAmount = received.reduce((sum, { amount }) => sum + amount.amount, 0);
  return rowsWithoutDue(invoice).flatMap(({ kind, label, amount }): PaymentRow[] => {
    if (kind !== 'paid') return [{ kind, label, amount, at: null, ...noDetails }];
    if (receivedAmount !== -amount) {
      return [{ kind: 'payment', label, amount, at: paidAt, ...noDetails }];
    }
    return received.flatMap((payment): PaymentRow[] => {
      const { at, method } = payment;
      const excess = payment.excess.amount;
      const sum = payment.amount.amount + excess;
      const paid = {
        ...noDetails,
        kind: 'payment',
        label,
        amount: -sum,
        at,
        method: nameOf(method),
      };
      const surplusLabel = 'Surplus, added to your credit';
      const surplus = { kind: 'surplus', label: surplusLabel, amount: excess, at, ...noDetails };
      return excess > 0 ? [paid, surplus] : [paid];
    });
  });
}

const noDetails = { method: '', creditNote: '' };

const nameOf = (method?: PaidMethod | null): string => (method ? methodText(method) : '');
