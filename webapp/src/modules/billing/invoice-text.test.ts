import type { Invoice } from '@/api';
import { aConfig, anOpenPayment } from '@/testing/fixtures';
import { anInvoice } from '@/testing/invoice-fixtures';
import { amountFormat } from './amount-text';
import {
  breakdownRows,
  headlineListFormat,
  headlineOf,
  invoiceListFormat,
  openPaymentRows,
  partTexts,
} from './invoice-text';

/** Returns the amounts of an invoice in minor units. By default nothing is paid. */
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

const breakdownText = (invoice: Invoice) =>
  breakdownRows(invoice, amountFormat(aConfig(), []))
    .map(([label, text]) => `${label} ${text}`)
    .join(', ');

describe('headlineOf and breakdownRows', () => {
  it.each<
    [
      label: string,
      amount: number,
      rows: string,
      status: Invoice['status'],
      changes: Partial<Invoice>,
    ]
  >([
    ['Paid', 3900, '', 'paid', amounts(3900, { amountPaid: 3900 })],
    [
      'Paid',
      735,
      'Credit used −$31.65, Paid −$7.35',
      'paid',
      amounts(3900, { creditUsed: 3165, amountPaid: 735 }),
    ],
    ['Paid with credit', 2200, 'Credit used −$22', 'paid', amounts(2200, { creditUsed: 2200 })],
    ['No charge', 0, '', 'paid', amounts(0)],
    ['Credited', -36187, '', 'paid', amounts(-36187, { creditUsed: -36187 })],
    [
      'Paid',
      3900,
      'Paid −$39, Refunded $10',
      'paid',
      amounts(3900, { amountPaid: 3900, refunded: 1000 }),
    ],
    [
      'Refunded',
      3900,
      'Paid −$39, Refunded $39',
      'paid',
      amounts(3900, { amountPaid: 3900, refunded: 3900 }),
    ],
    ['No charge', 0, 'Credit note −$39', 'paid', amounts(3900, { amountDue: 0 })],
    ['Paid', 3900, '', 'paid', amounts(3900)], // paid outside of the provider
    ['To be paid', 81600, '', 'open', amounts(81600)],
    [
      'To be paid',
      51600,
      'Paid −$300, Amount due $516',
      'open',
      amounts(81600, { amountPaid: 30000 }),
    ],
    ['Not paid', 3900, '', 'uncollectible', amounts(3900)],
    ['Cancelled', 81600, 'Returned as credit $300', 'void', amounts(81600, { credited: 30000 })],
  ])(
    'return "%s" %i and "%s" for an invoice with the status %s',
    (label, amount, breakdown, status, changes) => {
      const invoice = anInvoice({ status, ...changes });
      expect(headlineOf(invoice, null)).toMatchObject({
        label,
        amount: { amount, currency: 'AUD' },
      });
      expect(breakdownText(invoice)).toBe(breakdown);
    },
  );

  it('derive the used credit from the amount due if the server does not report it', () => {
    const { creditUsed, refunded, credited, ...reportedAmounts } = amounts(2200, {
      creditUsed: 2200,
    });
    expect(breakdownText(anInvoice(reportedAmounts))).toBe('Credit used −$22');
    expect(breakdownText(anInvoice({ ...reportedAmounts, status: 'void' }))).toBe('');
  });
});

describe('the credit notes of an invoice in lists', () => {
  const format = amountFormat(aConfig(), []);
  const at = '2026-12-04T10:00:00Z';
  const note = { kind: 'credit_note', label: 'Credit note', at, creditNote: 'V-1-CN-01' } as const;

  it('have their numbers beside the refund', () => {
    const refundedInvoice = anInvoice({
      ...amounts(3900, { amountPaid: 3900, refunded: 1000 }),
      movements: [
        { kind: 'payment', label: 'Paid', amount: { amount: -3900, currency: 'AUD' }, at },
        { kind: 'refund', label: 'Refunded', amount: { amount: 1000, currency: 'AUD' }, at },
        { ...note, amount: { amount: -1000, currency: 'AUD' } },
      ],
    });
    expect(breakdownText(refundedInvoice)).toBe(
      'Paid −$39, Refunded $10, Credit note V-1-CN-01 −$10',
    );
    expect(partTexts(refundedInvoice, format)).toEqual(['$10 refunded']);
  });

  it('are parts of the total', () => {
    expect(partTexts(anInvoice(amounts(3900, { amountDue: 2900 })), format)).toEqual([
      '$10 by credit note',
    ]);
    const creditedInvoice = anInvoice(amounts(3900, { amountPaid: 3900, credited: 1000 }));
    expect(partTexts(creditedInvoice, format)).toEqual(['$10 returned as credit']);
  });
});

describe('the formats of lists', () => {
  const wholeInvoice = anInvoice(amounts(81600, { tax: 0, amountPaid: 81600 }));
  const total = wholeInvoice.total;

  it('write the totals with decimals if a part of a breakdown has some', () => {
    expect(invoiceListFormat([wholeInvoice], aConfig()).amountText(total)).toBe('$816 AUD');
    const partlyPaid = anInvoice({
      ...amounts(81600, { amountPaid: 7418 }),
      status: 'open',
    });
    const format = invoiceListFormat([wholeInvoice, partlyPaid], aConfig());
    expect(format.amountText(total)).toBe('$816.00 AUD');
  });

  it('ignore the taxes in a list that shows none', () => {
    const credit = anInvoice(amounts(-39596, { tax: -3600, creditUsed: -39596 }));
    const taxedInvoice = anInvoice(amounts(81600, { tax: 7418 }));
    expect(headlineListFormat([taxedInvoice], aConfig()).amountText(total)).toBe('$816 AUD');
    const format = headlineListFormat([taxedInvoice, credit], aConfig());
    expect(format.amountText(total)).toBe('$816.00 AUD');
  });
});

describe('openPaymentRows', () => {
  const rows = (changes: Parameters<typeof anOpenPayment>[0]) =>
    openPaymentRows(anOpenPayment(changes), aConfig());

  it('lists the total, the used credit and the payments so far', () => {
    expect(rows({ amount: 31600, total: 81600, creditUsed: 20000, amountPaid: 30000 })).toEqual([
      ['Total', '$816'],
      ['Credit used', '−$200'],
      ['Paid', '−$300'],
    ]);
  });

  it('writes all amounts with decimals if the amount due has some', () => {
    expect(rows({ amount: 31650, total: 81650, amountPaid: 50000 })).toEqual([
      ['Total', '$816.50'],
      ['Paid', '−$500.00'],
    ]);
  });

  it('is empty if the whole total is due, or if the server does not report the total', () => {
    expect(rows({ amount: 3900, total: 3900, creditUsed: 0, amountPaid: 0 })).toEqual([]);
    expect(rows({ amount: 3900, total: null })).toEqual([]);
    expect(rows({})).toEqual([]);
  });
});
