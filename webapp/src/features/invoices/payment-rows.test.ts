import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { paymentRows } from './payment-rows';

const at = '2026-12-04T10:00:00Z';
const card = { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 };

/** Returns the kind and amount of each row. */
const amounts = (invoice: Parameters<typeof paymentRows>[0]) =>
  paymentRows(invoice).map(({ kind, amount }) => [kind, amount]);

it('returns the movements that the server reports, in their order', () => {
  const movements = [
    { kind: 'payment', label: 'Paid', amount: aud(-81600), at, method: { card } },
    { kind: 'bank_return', label: 'Returned by your bank', amount: aud(81600), at: null },
  ];
  expect(paymentRows(anInvoice({ movements, received: [] }))).toEqual([
    {
      kind: 'payment',
      label: 'Paid',
      amount: -81600,
      at,
      method: expect.stringContaining('4242'),
      creditNote: '',
    },
    {
      kind: 'bank_return',
      label: 'Returned by your bank',
      amount: 81600,
      at: null,
      method: '',
      creditNote: '',
    },
  ]);
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
