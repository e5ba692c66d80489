import type { Invoice } from '@/api';
import { aConfig } from '@/testing/fixtures';
import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { invoiceCsv, invoiceDetailsCsv } from './invoice-csv';

const linesOf = (csv: string) => csv.trimEnd().split('\r\n');

it('writes amounts as plain decimals and the date in the time zone of the invoice', () => {
  const invoice = anInvoice({
    createdAt: '2026-11-27T23:00:00Z',
    timeZone: 'Australia/Sydney',
    creditUsed: aud(4210),
    amountDue: aud(77390),
    amountPaid: aud(77390),
    refunded: aud(1000),
    movements: [
      { kind: 'dispute', label: 'Disputed', amount: aud(5000), at: null },
      { kind: 'dispute_won', label: 'Dispute rejected', amount: aud(-5000), at: null },
      { kind: 'dispute', label: 'Disputed', amount: aud(871), at: null },
      { kind: 'dispute_lost', label: 'Dispute accepted', amount: aud(-871), at: null },
    ],
  });

  expect(linesOf(invoiceCsv([invoice], aConfig(), null))).toEqual([
    'Date,Number,Description,Status,Currency,Total,Tax included,Credit used,Carried to the next invoice,Paid,Refunded,Disputed,Due',
    '2026-11-28,VISION-0001,Professional,Paid,AUD,816.00,74.18,42.10,,773.90,10.00,8.71,0.00',
  ]);
});

it.each([
  ['Rooms 1, 2', '"Rooms 1, 2"'],
  ['The "big" room', '"The ""big"" room"'],
  ['=1+1', "'=1+1"],
])('writes the description %j as the cell %s', (description, cell) => {
  expect(linesOf(invoiceCsv([anInvoice({ description })], aConfig(), null))[1]).toContain(
    `VISION-0001,${cell},Paid`,
  );
});

it('leaves the cell of an amount empty if the server does not report the amount', () => {
  expect(linesOf(invoiceCsv([anInvoice()], aConfig(), null))[1]).toMatch(
    /,816\.00,74\.18,,,816\.00,,,0\.00$/,
  );
});

it('writes the lines, the total with its tax, the credit and the payments of one invoice', () => {
  const card = { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 };
  const period = { start: '2026-11-27T23:00:00Z', end: '2027-11-27T23:00:00Z' };
  const invoice = anInvoice({
    createdAt: '2026-11-27T23:00:00Z',
    timeZone: 'Australia/Sydney',
    lines: [
      { description: '=Professional, yearly', amount: 90000, period },
      { description: '-Unused time', amount: -8400, period: { start: null, end: null } },
    ] as Invoice['lines'],
    creditUsed: aud(4210),
    amountDue: aud(77390),
    amountPaid: aud(77390),
    received: [
      { amount: aud(77390), excess: aud(0), at: '2026-11-29T10:00:00Z', method: { card } },
    ],
  });

  expect(linesOf(invoiceDetailsCsv(invoice, aConfig()))).toEqual([
    'Date,Number,Part,Description,From,To,Currency,Amount',
    `2026-11-28,VISION-0001,Line,"'=Professional, yearly",2026-11-28,2027-11-28,AUD,900.00`,
    "2026-11-28,VISION-0001,Line,'-Unused time,,,AUD,-84.00",
    '2026-11-28,VISION-0001,Total,,,,AUD,816.00',
    '2026-11-28,VISION-0001,Tax included,GST,,,AUD,74.18',
    '2026-11-28,VISION-0001,Credit used,,,,AUD,-42.10',
    '2026-11-29,VISION-0001,Paid,Visa •••• 4242,,,AUD,-773.90',
    '2026-11-28,VISION-0001,Amount due,,,,AUD,0.00',
  ]);
});

it('has the dates of a refund and the number of its credit note', () => {
  const at = '2026-12-03T14:00:00Z';
  const movements = [
    { kind: 'refund', label: 'Refunded', amount: aud(1000), at },
    { kind: 'credit_note', label: 'Credit note', amount: aud(-1000), at, creditNote: 'V-1-CN-01' },
  ];
  const csv = invoiceDetailsCsv(anInvoice({ movements, timeZone: 'Australia/Sydney' }), aConfig());
  expect(linesOf(csv).filter((row) => /Refunded|Credit note/.test(row))).toEqual([
    '2026-12-04,VISION-0001,Refunded,,,,AUD,10.00',
    '2026-12-04,VISION-0001,Credit note,V-1-CN-01,,,AUD,-10.00',
  ]);
});
