import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import type { Invoice, UserDetail } from '@/api';
import { dateText, withOrdinarySpaces } from '@/testing/date-text';
import { anOpenPayment } from '@/testing/fixtures';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import InvoiceScreen from './InvoiceScreen';

const listPath = '/vc-admin/org/invoices/list';

const Screen = () => (
  <Routes>
    <Route path="/vc-admin/diy/invoices/:id" element={<InvoiceScreen />} />
  </Routes>
);

/** Serves the invoices and opens the page of in_1. */
function openInvoice(invoices: Invoice[], user: Partial<UserDetail> = {}) {
  serveConfig();
  serveUser(user);
  servePost(listPath, () => HttpResponse.json({ data: invoices, hasMore: false }));
  renderScreen(Screen, '/vc-admin/diy/invoices/in_1');
}

const [line] = anInvoice().lines as [Invoice['lines'][number]];

it('shows an amount that is carried to the next invoice, and neither credit nor a payment', async () => {
  const amounts = {
    total: aud(41),
    carriedForward: aud(41),
    creditUsed: aud(0),
    amountDue: aud(0),
  };
  openInvoice([anInvoice({ ...amounts, tax: aud(4), amountPaid: aud(0) })]);

  expect(
    await screen.findByText(/^\$0\.41.* is carried to the next invoice\. Nothing is due now\.$/),
  ).toBeVisible();
  expect(screen.getAllByText('Carried to the next invoice')).toHaveLength(2); // headline and breakdown
  expect(screen.queryByText(/Credit used|Paid on/)).not.toBeInTheDocument();
});

it('shows a refund with its date and credit note, and downloads the credit note', async () => {
  const at = '2026-12-04T10:00:00Z';
  const movements = [
    { kind: 'payment', label: 'Paid', amount: aud(-81600), at },
    { kind: 'refund', label: 'Refunded', amount: aud(1000), at },
    {
      kind: 'credit_note',
      label: 'Credit note',
      amount: aud(-1000),
      at,
      creditNote: 'V-0001-CN-01',
    },
  ];
  openInvoice([anInvoice({ movements })]);
  let isRequested = false;
  server.use(
    http.get('/vc-admin/org/invoices/in_1/credit-notes/V-0001-CN-01/pdf', () => {
      isRequested = true;
      return HttpResponse.json({ error: 'ERRNOTFOUND', message: 'Gone.' }, { status: 404 });
    }),
  );

  const note = await screen.findByText(/V-0001-CN-01, .*2026/);
  expect(note.closest('dt')).toHaveTextContent('Credit note');
  await userEvent.click(
    screen.getByRole('button', { name: 'Download PDF of credit note V-0001-CN-01' }),
  );

  expect(await screen.findByText('The credit note could not be downloaded')).toBeVisible();
  expect(isRequested).toBe(true);
});

it('shows the lines, the tax, the credit used and the payment of a paid invoice', async () => {
  openInvoice([
    anInvoice({
      lines: [line, { ...line, description: 'Unused time on Standard', amount: -21173 }],
      total: aud(60427),
      tax: aud(5493),
      creditUsed: aud(3500),
      amountDue: aud(56927),
      amountPaid: aud(56927),
    }),
  ]);

  expect(await screen.findByRole('heading', { name: 'Invoice VISION-0001' })).toBeVisible();
  const [, ...rows] = screen.getAllByRole('row');
  const { start, end } = line.period as { start: string; end: string };
  expect(rows.map((row) => withOrdinarySpaces(row.textContent ?? ''))).toEqual([
    `Professional${dateText(start)} to ${dateText(end)}$816.00`,
    `Unused time on Standard${dateText(start)} to ${dateText(end)}−$211.73`,
  ]);
  const amountText = (label: string) =>
    screen.getByText(
      (_, element) =>
        element?.tagName === 'DT' && withOrdinarySpaces(element.textContent ?? '') === label,
    ).nextElementSibling?.textContent;
  expect(amountText('Total without tax ')).toBe('$549.34');
  expect(amountText('GST ')).toBe('$54.93');
  expect(amountText('Credit used ')).toBe('−$35.00');
  expect(amountText(`Paid ${dateText(start)}`)).toBe('−$569.27');
  expect(amountText('Amount due ')).toBe('$0.00 AUD');
  expect(screen.getByText(`Paid on ${dateText(start)}. Nothing is due.`)).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Pay / })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Download PDF of VISION-0001' })).toBeVisible();
});

it('shows the seller and the tax name that the invoice reports', async () => {
  const seller = { name: 'Telehealth Pty Ltd', lines: ['Sydney NSW 2000', 'ABN 51 824 753 556'] };
  openInvoice([anInvoice({ seller, taxName: 'GST 10 %' })]);

  expect(await screen.findByRole('heading', { name: 'Tax invoice VISION-0001' })).toBeVisible();
  expect(screen.getByText('From').parentElement).toHaveTextContent(
    'FromTelehealth Pty LtdSydney NSW 2000ABN 51 824 753 556',
  );
  expect(screen.getByText('includes GST 10 %, $74.18')).toBeVisible();
});

it('shows an invoice with a negative total as a credit note with its tax', async () => {
  openInvoice([
    anInvoice({
      total: aud(-39596),
      tax: aud(-3600),
      creditUsed: aud(-39596),
      amountDue: aud(0),
      amountPaid: aud(0),
      paidAt: null,
    }),
  ]);

  expect(await screen.findByRole('heading', { name: 'Credit note VISION-0001' })).toBeVisible();
  const rows = screen
    .getAllByRole('term')
    .map((term) => [term.textContent?.trim(), term.nextElementSibling?.textContent]);
  expect(rows.slice(-4)).toEqual([
    ['Total without tax', '−$359.96'],
    ['GST', '−$36.00'],
    ['Total', '−$395.96'],
    ['Added to your credit', '$395.96'],
  ]);
});

const noCard = { brand: '', last4: '', exp_month: 0, exp_year: 0 };

it('shows the buyer and the method of each payment', async () => {
  const paymentTime = '2026-11-28T10:00:00Z';
  const card = { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 };
  openInvoice([
    anInvoice({
      billedTo: {
        name: 'Harbour Physiotherapy',
        address: {
          line1: '12 Wharf Road',
          city: 'Newcastle',
          state: 'NSW',
          postal_code: '2300',
          country: 'AU',
        },
        taxId: { type: 'au_abn', value: '51824753556' },
        purchaseOrder: 'PO 4711',
      },
      received: [
        { amount: aud(30000), excess: aud(0), at: paymentTime, method: { card } },
        {
          amount: aud(51600),
          excess: aud(8400),
          at: paymentTime,
          method: { label: 'Bank transfer', card },
        },
      ],
    }),
  ]);

  const buyer = (await screen.findByText('To')).parentElement;
  expect(buyer).toHaveTextContent(
    'ToHarbour Physiotherapy12 Wharf RoadNewcastle NSW 2300, AustraliaABN 51 824 753 556',
  );
  expect(screen.getByText('PO 4711')).toBeVisible();
  const rowText = (label: RegExp) =>
    withOrdinarySpaces(screen.getByText(label).closest('div')?.textContent ?? '');
  expect(rowText(/^Visa/)).toBe(`Visa •••• 4242 ${dateText(paymentTime)}−$300.00`);
  expect(rowText(/^Bank transfer/)).toBe(`Bank transfer ${dateText(paymentTime)}−$600.00`);
  expect(rowText(/^Surplus/)).toBe(`Surplus, added to your credit ${dateText(paymentTime)}$84.00`);
});

it('shows that the bank returned a payment and that its amount is due again', async () => {
  const debit = { kind: 'bank_debit' as const, label: 'Bank account •••• 6819', card: noCard };
  openInvoice([
    anInvoice({
      status: 'open',
      paidAt: null,
      amountPaid: aud(0),
      returned: aud(81600),
      tax: aud(0),
      movements: [
        {
          kind: 'payment',
          label: 'Paid',
          amount: aud(-81600),
          at: '2026-12-04T10:00:00Z',
          method: debit,
        },
        {
          kind: 'bank_return',
          label: 'Returned by your bank',
          amount: aud(81600),
          at: '2026-12-11T10:00:00Z',
          method: debit,
        },
      ],
    }),
  ]);

  await screen.findByRole('heading', { name: 'Payments' });
  const rows = screen
    .getAllByRole('term')
    .map((term) =>
      [term.textContent?.trim(), term.nextElementSibling?.textContent].map((text) =>
        withOrdinarySpaces(text ?? ''),
      ),
    );
  expect(rows.slice(-3)).toEqual([
    [`Bank account •••• 6819 ${dateText('2026-12-04T10:00:00Z')}`, '−$816'],
    [`Returned by your bank Bank account •••• 6819, ${dateText('2026-12-11T10:00:00Z')}`, '$816'],
    ['Amount due', '$816 AUD'],
  ]);
});

it('names the amount of a credit note credit, not a payment', async () => {
  const credit = { kind: 'credit_added', label: 'Added to your credit', amount: aud(81600) };
  openInvoice([
    anInvoice({ total: aud(-81600), movements: [{ ...credit, at: null, method: null }] }),
  ]);
  expect(await screen.findByRole('heading', { name: 'Credit' })).toBeVisible();
  expect(screen.getByText('Added to your credit')).toBeVisible();
  expect(screen.queryByText('Payments')).not.toBeInTheDocument();
});

it('shows no buyer and only the sum of the payments when the server does not report them', async () => {
  openInvoice([anInvoice({ received: [] })]);

  expect(await screen.findByText('Payments')).toBeVisible();
  expect(screen.queryByText('To')).not.toBeInTheDocument();
  expect(screen.getByText('Paid', { selector: 'dt *' })).toBeVisible();
});

it.each([
  ['open', '$816.00 AUD is due.'],
  ['void', 'This invoice was cancelled. Nothing is due.'],
  ['uncollectible', '$816.00 AUD was not paid.'],
] as const)('says for an invoice with the status %s: "%s"', async (status, text) => {
  openInvoice([anInvoice({ status, amountPaid: aud(0), paidAt: null })]);

  expect(await screen.findByText(text)).toBeVisible();
});

it('says that a refund did not reach the customer', async () => {
  openInvoice([anInvoice({ failedRefunds: aud(10000) })]);

  expect(await screen.findByText(/A refund of \$100(\.00)? AUD did not reach you/)).toBeVisible();
});

it('links from an open invoice to the pay screen', async () => {
  const invoice = anInvoice({ status: 'open', amountPaid: aud(0), paidAt: null });
  openInvoice([invoice], { openPayment: anOpenPayment({ invoiceId: invoice.id }) });

  const payLink = await screen.findByRole('link', { name: 'Pay $816.00 AUD' });
  expect(payLink).toHaveAttribute('href', '/vc-admin/diy/pay');
  expect(screen.getByText('Payment overdue')).toBeVisible();
  expect(screen.getByText('$816.00 AUD is overdue.')).toBeVisible();
});

it('finds an invoice on a later page', async () => {
  serveConfig();
  serveUser();
  const pages = [
    { data: [anInvoice({ id: 'in_2', number: 'VISION-0002' })], hasMore: true },
    { data: [anInvoice()], hasMore: false },
  ];
  const requests = servePost(listPath, () => HttpResponse.json(pages.shift() ?? {}));
  renderScreen(Screen, '/vc-admin/diy/invoices/in_1');

  expect(await screen.findByText('Invoice VISION-0001')).toBeVisible();
  expect(requests).toEqual([{ limit: 100 }, { limit: 100, startingAfter: 'in_2' }]);
});

it('says that there is no such invoice when no page contains it', async () => {
  openInvoice([]);

  expect(await screen.findByText('There is no such invoice.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'All invoices' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/invoices',
  );
});

it('shows no PDF button for an invoice without a document', async () => {
  openInvoice([anInvoice({ hasPdf: false })]);

  await screen.findByText('Invoice VISION-0001');
  expect(screen.queryByRole('button', { name: /PDF/ })).not.toBeInTheDocument();
});

it('loads the invoice again when Try again is pressed after a failure', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  openInvoice([anInvoice()]);
  server.use(http.post(listPath, () => HttpResponse.error(), { once: true }));

  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('The invoice could not be loaded.')).toBeVisible();
  screen.getByRole('button', { name: 'Try again' }).click();
  expect(await screen.findByText('Invoice VISION-0001')).toBeVisible();
});

it('asks not to pay a second time while the payment is on its way', async () => {
  openInvoice([anInvoice({ status: 'open', amountPaid: aud(0), paidAt: null, processing: true })]);

  expect(
    await screen.findByText(
      /^The payment of .*816.* is on its way. Please don’t pay a second time.$/,
    ),
  ).toBeVisible();
});
