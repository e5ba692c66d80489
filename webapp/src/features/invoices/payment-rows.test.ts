import type { Invoice, Movement } from '@/api';
import { dueOf } from '@/modules/billing/invoice-text';
import { anInvoice, aud, paymentRowVectors } from '@/testing/invoice-fixtures';
import { paymentRows } from './payment-rows';

const at = '2026-12-04T10:00:00Z';
const card = { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 };

/** Returns the kind and amount of each row. */
const amounts = (invoice: Parameters<typeof paymentRows>[0]) =>
  paymentRows(invoice).map(({ kind, amount }) => [kind, amount]);

describe('the movements that the server reports', () => {
  for (const { name, in: facts, want } of paymentRowVectors) {
    it(name, () => {
      const invoice = anInvoice({
        status: facts.status as Invoice['status'],
        paidAt: facts.paidAt,
        total: aud(facts.total),
        amountDue: aud(facts.amountDue),
        amountPaid: aud(facts.amountPaid),
        movements: want.movements as Movement[],
      });
      const rows = paymentRows(invoice).map((row) => ({
        ...row,
        method: row.method.replaceAll('\u00a0', ' '),
      }));
      expect(rows).toStrictEqual(want.rows);
      expect(dueOf(invoice)).toBe(want.remaining);
    });
  }
});

it('derives the rows from the amounts when the server reports no movements', () => {
  const received = [{ amount: aud(81600), excess: aud(400), at, method: { card } }];
  expect(amounts(anInvoice({ received }))).toEqual([
    ['payment', -82000],
    ['surplus', 400],
  ]);
  expect(amounts(anInvoice({ received: [] }))).toEqual([['payment', -81600]]);
});

it('counts a payment once that the bank returned and that was paid again', () => {
  expect(amounts(anInvoice({ returned: aud(81600), received: [] }))).toEqual([['payment', -81600]]);
});
