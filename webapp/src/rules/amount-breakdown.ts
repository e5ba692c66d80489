/** The amounts of an invoice in minor units. */
export interface InvoiceAmounts {
  status: string;
  total: number;
  /** Negative if the invoice has increased the credit. */
  creditUsed: number;
  /** The part of the total that is too small to be charged and is due with the next invoice. */
  carriedForward?: number;
  amountDue: number;
  amountPaid: number;
  refunded: number;
  credited: number;
}

/** The labels of the rows by kind, as in `billing.Movement` of the server. */
const labels = {
  credit_used: 'Credit used',
  credit_added: 'Added to your credit',
  carried_over: 'From earlier invoices',
  carried_forward: 'Carried to the next invoice',
  credit_note: 'Credit note',
  paid: 'Paid',
  due: 'Amount due',
  refunded: 'Refunded',
  credited: 'Returned as credit',
} as const;

type BreakdownKind = keyof typeof labels;

/** An amount with its label; negative if it reduces the amount that is to be paid. */
export interface BreakdownRow {
  kind: BreakdownKind;
  label: string;
  amount: number;
}

/** Explains how the amount that is still to be paid is computed from the total of an invoice. */
interface AmountBreakdown {
  /** Whether the total alone describes the invoice, because all of it was paid, is due or became credit. */
  isTotalSufficient: boolean;
  /** The amounts that reduce the total, that are to be paid or that were returned, without zero amounts. */
  rows: BreakdownRow[];
}

/** Returns the amount of an invoice that is still to be paid; zero when it is paid or void. */
export const remainingOf = ({ status, amountDue, amountPaid }: InvoiceAmounts): number =>
  status === 'paid' || status === 'void' ? 0 : amountDue - amountPaid;

/**
 * Returns the breakdown of an invoice's total for lists, and for servers that report no movements. It has no rows for
 * payments that the customer's bank took back, because their amounts are due again.
 */
export function amountBreakdown(amounts: InvoiceAmounts): AmountBreakdown {
  const { total, creditUsed, amountDue, amountPaid, refunded, credited } = amounts;
  const { carriedForward = 0 } = amounts;
  const due = remainingOf(amounts);
  const reductions =
    amounts.status === 'void'
      ? []
      : [
          newRow(creditKind(amounts), -creditUsed),
          newRow('carried_forward', -carriedForward),
          newRow('credit_note', amountDue + creditUsed + carriedForward - total),
        ];
  const rows = [
    ...reductions,
    newRow('paid', -amountPaid),
    newRow('due', due),
    newRow('refunded', refunded),
    newRow('credited', credited),
  ].filter(({ amount }) => amount !== 0);
  const isTotalSufficient = rows.length <= 1 && rows.every((row) => coversTotal(row, total));
  return { isTotalSufficient, rows };
}

/** Whether the row accounts for all of the total. */
function coversTotal({ kind, amount }: BreakdownRow, total: number): boolean {
  if (kind === 'due') return amount === total;
  return (kind === 'paid' || kind === 'credit_added') && amount === -total;
}

// Adding zero turns a negative zero into zero.
const newRow = (kind: BreakdownKind, amount: number): BreakdownRow => ({
  kind,
  label: labels[kind],
  amount: amount + 0,
});

function creditKind({ total, creditUsed }: InvoiceAmounts): BreakdownKind {
  if (creditUsed > 0) return 'credit_used';
  return total > 0 ? 'carried_over' : 'credit_added';
}
