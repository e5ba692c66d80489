import { aConfig } from '@/testing/fixtures';
import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { invoiceCsv } from './invoice-csv';

const linesOf = (csv: string) => csv.trimEnd().split('\r\n');

it('writes amounts as plain decimals and the date in the time zone of the invoice', () => {
  const invoice = anInvoice({
    createdAt: '2026-11-27T23:00:00Z',
    timeZone: 'Australia/Sydney',
    creditUsed: aud(4210),
    amountDue: aud(77390),
    amountPaid: aud(77390),
    refunded: aud(1000),
  });

  expect(linesOf(invoiceCsv([invoice], aConfig()))).toEqual([
    'Date,Number,Description,Status,Currency,Total,Tax included,Credit used,Carried to the next bill,Paid,Refunded,Due',
    '2026-11-28,VISION-0001,Professional,Paid,AUD,816.00,74.18,42.10,,773.90,10.00,0.00',
  ]);
});

it.each([
  ['Rooms 1, 2', '"Rooms 1, 2"'],
  ['The "big" room', '"The ""big"" room"'],
  ['=1+1', "'=1+1"],
])('writes the description %j as the cell %s', (description, cell) => {
  expect(linesOf(invoiceCsv([anInvoice({ description })], aConfig()))[1]).toContain(
    `VISION-0001,${cell},Paid`,
  );
});

it('leaves the cell of an amount empty if the server does not report the amount', () => {
  expect(linesOf(invoiceCsv([anInvoice()], aConfig()))[1]).toMatch(
    /,816\.00,74\.18,,,816\.00,,0\.00$/,
  );
});
