import type { Invoice } from '@/api';
import { dueOf } from '@/modules/billing/invoice-text';
import { withOrdinarySpaces } from '@/testing/date-text';
import { anOpenPayment } from '@/testing/fixtures';
import { anInvoice, aud, invoiceStatusVectors } from '@/testing/invoice-fixtures';
import { runVectors } from '@/testing/run-vectors';
import { useBrowserZone } from '@/testing/time-zone';
import { invoiceStatusText } from './invoice-status';

type Input = (typeof invoiceStatusVectors)[number]['in'];

const amountText = ({ amount }: { amount: number }) => `$${(amount / 100).toFixed(2)}`;

describe('invoiceStatusText', () => {
  beforeEach(() => useBrowserZone('America/Los_Angeles'));

  runVectors(invoiceStatusVectors, (input: Input) => {
    const openPayment = input.overdue ? anOpenPayment({ invoiceId: 'in_1' }) : null;
    const invoice = anInvoice({
      status: input.status as Invoice['status'],
      total: aud(input.total),
      creditUsed: aud(input.creditUsed),
      carriedForward: aud(input.carriedForward),
      amountDue: aud(input.amountDue),
      amountPaid: aud(input.amountPaid),
      processing: input.processing ?? false,
      dueAt: input.dueAt ?? null,
      paidAt: input.paidAt ?? null,
      timeZone: input.zone,
    });
    const due = amountText({ amount: dueOf(invoice) });
    return withOrdinarySpaces(invoiceStatusText(invoice, openPayment, due, amountText));
  });
});
