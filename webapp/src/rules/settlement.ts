/** The amounts of an invoice in minor units; `creditUsed` is negative if the credit has increased. */
export interface InvoiceAmounts {
  status: string;
  total: number;
  creditUsed: number;
  amountDue: number;
  amountPaid: number;
  refunded: number;
  credited: number;
}

/** An amount with its label; negative if it reduces what is to be paid. */
export interface SettlementRow {
  label: string;
  amount: number;
}

export interface Settlement {
  /** Whether the total alone says it: all of it was paid, is due or became credit. */
  plain: boolean;
  /** What reduces the total, what is still to be paid, and what was returned; none of them is zero. */
  rows: SettlementRow[];
}

/** What is still to be paid of an invoice; zero when it is paid or void. */
export const remainingOf = ({ status, amountDue, amountPaid }: InvoiceAmounts): number =>
  status === 'paid' || status === 'void' ? 0 : amountDue - amountPaid;

/** How the total of an invoice is settled, as `billing.Invoice.Settlement` of the server. */
export function settlementOf(amounts: InvoiceAmounts): Settlement {
  const { total, creditUsed, amountDue, amountPaid, refunded, credited } = amounts;
  const due = remainingOf(amounts);
  const reductions =
    amounts.status === 'void'
      ? []
      : [
          row(creditLabel(amounts), -creditUsed),
          row('Credit note', amountDue + creditUsed - total),
        ];
  const rows = [
    ...reductions,
    row('Paid', -amountPaid),
    row('Amount due', due),
    row('Refunded', refunded),
    row('Returned as credit', credited),
  ].filter(({ amount }) => amount !== 0);
  const [first] = rows;
  const wholly =
    first?.amount === (first?.label === 'Amount due' ? total : -total) &&
    ['Paid', 'Amount due', 'Added to your credit'].includes(first.label);
  return { plain: !first || (rows.length === 1 && wholly), rows };
}

// Adding zero avoids a negative zero.
const row = (label: string, amount: number): SettlementRow => ({ label, amount: amount + 0 });

function creditLabel({ total, creditUsed }: InvoiceAmounts): string {
  if (creditUsed > 0) return 'Credit used';
  return total > 0 ? 'From earlier invoices' : 'Added to your credit';
}
