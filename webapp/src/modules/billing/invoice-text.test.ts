import type { Invoice } from '@/api';
import { aConfig, anOpenPayment } from '@/testing/fixtures';
import { anInvoice } from '@/testing/invoice-fixtures';
import { headlineOf, openPaymentRows, settlementLine } from './invoice-text';

/** Returns the amounts of an invoice with this total in minor units; nothing is paid unless the changes say so. */
const amounts = (total: number, changes: Record<string, number> = {}): Partial<Invoice> => {
  const minorUnits: Record<string, number> = {
    total,
    creditUsed: 0,
    amountDue: total - (changes.creditUsed ?? 0),
    amountPaid: 0,
    refunded: 0,
    credited: 0,
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(minorUnits).map(([name, amount]) => [name, { amount, currency: 'AUD' }]),
  );
};

const settlementText = (invoice: Invoice) =>
  settlementLine(invoice, aConfig())
    .map(([label, text]) => `${label} ${text}`)
    .join(', ');

describe('headlineOf and settlementLine', () => {
  it.each<[Invoice['status'], Partial<Invoice>, string, number, string]>([
    ['paid', amounts(3900, { amountPaid: 3900 }), 'Paid', 3900, ''],
    [
      'paid',
      amounts(3900, { creditUsed: 3165, amountPaid: 735 }),
      'Paid',
      735,
      'Total $39, Credit used −$31.65, Paid −$7.35',
    ],
    [
      'paid',
      amounts(2200, { creditUsed: 2200 }),
      'Paid with credit',
      2200,
      'Total $22, Credit used −$22',
    ],
    ['paid', amounts(0), 'No charge', 0, ''],
    ['paid', amounts(-36187, { creditUsed: -36187 }), 'Credited', 36187, ''],
    [
      'paid',
      amounts(3900, { amountPaid: 3900, refunded: 1000 }),
      'Paid',
      3900,
      'Total $39, Paid −$39, Refunded $10',
    ],
    [
      'paid',
      amounts(3900, { amountPaid: 3900, refunded: 3900 }),
      'Refunded',
      3900,
      'Total $39, Paid −$39, Refunded $39',
    ],
    ['paid', amounts(3900, { amountDue: 0 }), 'No charge', 0, 'Total $39, Credit note −$39'],
    ['paid', amounts(3900), 'Paid', 3900, ''], // paid outside of the provider
    ['open', amounts(81600), 'To be paid', 81600, ''],
    [
      'open',
      amounts(81600, { amountPaid: 30000 }),
      'To be paid',
      51600,
      'Total $816, Paid −$300, Amount due $516',
    ],
    ['uncollectible', amounts(3900), 'Not paid', 3900, ''],
    [
      'void',
      amounts(81600, { credited: 30000 }),
      'Cancelled bill',
      81600,
      'Total $816, Returned as credit $300',
    ],
  ])(
    'describe an invoice with the status %s and %o',
    (status, changes, label, amount, settlement) => {
      const invoice = anInvoice({ status, ...changes });
      expect(headlineOf(invoice)).toMatchObject({ label, amount: { amount, currency: 'AUD' } });
      expect(settlementText(invoice)).toBe(settlement);
    },
  );

  it('derive the credit if the server does not report it', () => {
    const { creditUsed, refunded, credited, ...reported } = amounts(2200, { creditUsed: 2200 });
    expect(settlementText(anInvoice(reported))).toBe('Total $22, Credit used −$22');
    expect(settlementText(anInvoice({ ...reported, status: 'void' }))).toBe('');
  });
});

describe('openPaymentRows', () => {
  const rows = (changes: Parameters<typeof anOpenPayment>[0]) =>
    openPaymentRows(anOpenPayment(changes), aConfig());

  it('shows how the amount follows from the total', () => {
    expect(rows({ amount: 31600, total: 81600, creditUsed: 20000, amountPaid: 30000 })).toEqual([
      ['Total', '$816'],
      ['Credit used', '−$200'],
      ['Paid', '−$300'],
    ]);
  });

  it('is empty when the total is due, or not reported', () => {
    expect(rows({ amount: 3900, total: 3900, creditUsed: 0, amountPaid: 0 })).toEqual([]);
    expect(rows({ amount: 3900, total: null })).toEqual([]);
    expect(rows({})).toEqual([]);
  });
});
