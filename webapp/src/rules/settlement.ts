/** The amounts of an invoice in minor units; `creditUsed` is negative if the credit has increased. */
export interface InvoiceAmounts {
  status: string;
  total: number;
  creditUsed: number;
  amountDue: number;
  amountPaid: number;
  refunded: number;
  credited: number;
  /** What the customer's bank took back; not a part of `amountPaid`. */
  returned?: number;
}

/** The kinds of amounts in a settlement with their labels, as in `billing.SettlementRow` of the server. */
const labels = {
  credit_used: 'Credit used',
  credit_added: 'Added to your credit',
  carried_over: 'From earlier invoices',
  credit_note: 'Credit note',
  paid: 'Paid',
  returned: 'Returned by your bank',
  due: 'Amount due',
  refunded: 'Refunded',
  credited: 'Returned as credit',
} as const;

type SettlementKind = keyof typeof labels;

/** An amount with its label; negative if it reduces what is to be paid. */
export interface SettlementRow {
  kind: SettlementKind;
  label: string;
  amount: number;
}

export interface Settlement {
  /** Whether the total alone is enough: all of it was paid, is due or became credit. */
  plain: boolean;
  /** What reduces the total, what is still to be paid, and what was returned; none of them is zero. */
  rows: SettlementRow[];
}

/** Returns the amount of an invoice that is still to be paid; zero when it is paid or void. */
export const remainingOf = ({ status, amountDue, amountPaid }: InvoiceAmounts): number =>
  status === 'paid' || status === 'void' ? 0 : amountDue - amountPaid;

/** Returns how the total of an invoice is settled, as `billing.Invoice.Settlement` of the server. */
export function settlementOf(amounts: InvoiceAmounts): Settlement {
  const { total, creditUsed, amountDue, amountPaid, refunded, credited, returned = 0 } = amounts;
  const due = remainingOf(amounts);
  const reductions =
    amounts.status === 'void'
      ? []
      : [row(creditKind(amounts), -creditUsed), row('credit_note', amountDue + creditUsed - total)];
  const rows = [
    ...reductions,
    row('paid', -amountPaid - returned),
    row('returned', returned),
    row('due', due),
    row('refunded', refunded),
    row('credited', credited),
  ].filter(({ amount }) => amount !== 0);
  return { plain: rows.length <= 1 && rows.every((row) => isWhole(row, total)), rows };
}

/** Whether the row is all of the total. */
function isWhole({ kind, amount }: SettlementRow, total: number): boolean {
  if (kind === 'due') return amount === total;
  return (kind === 'paid' || kind === 'credit_added') && amount === -total;
}

// Adding zero avoids a negative zero.
const row = (kind: SettlementKind, amount: number): SettlementRow => ({
  kind,
  label: labels[kind],
  amount: amount + 0,
});

function creditKind({ total, creditUsed }: InvoiceAmounts): SettlementKind {
  if (creditUsed > 0) return 'credit_used';
  return total > 0 ? 'carried_over' : 'credit_added';
}
