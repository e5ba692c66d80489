import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Invoice } from '@/api';
import { anInvoice, aUser, capabilitiesWithout } from '@/testing/fixtures';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import { usePhoneViewport } from '@/testing/viewport';
import InvoicesScreen from './InvoicesScreen';

const path = '/vc-admin/diy/invoices';
const aud = (amount: number) => ({ amount, currency: 'AUD' });

const trial = anInvoice({ id: 'in_0', number: 'VISION-0000', total: aud(0), tax: aud(0) });

/** Responds to the requests for pages in turn, and returns the request bodies. */
const servePages = (...pages: { data: Invoice[]; hasMore: boolean }[]) =>
  servePost('/vc-admin/org/invoices/list', () =>
    HttpResponse.json(pages.shift() ?? { data: [], hasMore: false }),
  );

/** Serves the date of the first charge. */
function serveNext(next: object | null) {
  server.use(http.get('/vc-admin/org/billing', () => HttpResponse.json({ next })));
}

beforeEach(() => {
  serveConfig();
  serveUser();
});

const show = () => renderScreen(InvoicesScreen, path);

it('lists the invoices with amounts, tax, status and document', async () => {
  servePages({ data: [anInvoice()], hasMore: false });
  show();

  const row = (await screen.findByText('VISION-0001')).closest('tr') as HTMLElement;
  expect(row).toHaveTextContent(/28 Nov 2026|Nov 28, 2026/);
  expect(row).toHaveTextContent('Professional');
  expect(row).toHaveTextContent('$816 AUD');
  expect(row).toHaveTextContent('includes $74.18 GST');
  expect(row).toHaveTextContent('Paid');
  expect(within(row).getByRole('button', { name: 'PDF of invoice VISION-0001' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
});

it('shows that the payment of an invoice is on its way', async () => {
  const amountPaid = aud(0);
  servePages({
    data: [anInvoice({ status: 'open', processing: true, amountPaid, paidAt: null })],
    hasMore: false,
  });
  show();
  const row = (await screen.findByText('VISION-0001')).closest('tr') as HTMLElement;
  expect(row).toHaveTextContent('On its way');
  expect(row).not.toHaveTextContent('To be paid');
});

it('shows the lines of an invoice for a plan change, and how it was settled', async () => {
  const [line] = anInvoice().lines;
  const lines = [
    { ...line, description: 'Unused time on Standard', amount: -32280 },
    { ...line, description: 'Professional', amount: 66490 },
  ] as Invoice['lines'];
  servePages({
    data: [
      anInvoice({
        lines,
        total: aud(34210),
        creditUsed: aud(4210),
        amountDue: aud(30000),
        amountPaid: aud(30000),
        refunded: aud(1000),
      }),
    ],
    hasMore: false,
  });
  show();

  expect(await screen.findByText('$342.10 AUD')).toBeVisible();
  for (const text of ['Credit used −$42.10', 'Paid −$300', 'Refunded $10']) {
    expect(screen.getByRole('table')).toHaveTextContent(text);
  }
  expect(screen.getByText('−$322.80')).toBeVisible();
});

it.each([
  [anInvoice({ status: 'open' }), 'To be paid'],
  [anInvoice({ status: 'void' }), 'Cancelled bill'],
  [anInvoice({ status: 'uncollectible' }), 'Not paid'],
  [anInvoice({ total: aud(-5000), amountPaid: aud(0) }), 'Credited'],
])('names the status of %o', async (invoice, label) => {
  servePages({ data: [invoice], hasMore: false });
  show();

  expect(await screen.findByText(label)).toBeVisible();
});

it('shows a part payment and what is still to be paid', async () => {
  servePages({ data: [anInvoice({ status: 'open', amountPaid: aud(30000) })], hasMore: false });
  show();

  const row = (await screen.findByText('VISION-0001')).closest('tr') as HTMLElement;
  expect(row).toHaveTextContent('$816 AUDincludes $74.18 GSTPaid −$300Amount due $516To be paid');
});

it('shows cards on a phone', async () => {
  usePhoneViewport();
  servePages({ data: [anInvoice({ refunded: aud(81600) })], hasMore: false });
  show();

  const card = (await screen.findByText('VISION-0001')).closest('li') as HTMLElement;
  expect(card).toHaveTextContent('$816 AUD');
  expect(card).toHaveTextContent('Refunded $816');
  expect(within(card).getByRole('button', { name: /^PDF/ })).toBeVisible();
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});

it('hides invoices without a charge behind a toggle', async () => {
  servePages({ data: [anInvoice(), trial], hasMore: false });
  show();

  await screen.findByText('VISION-0001');
  expect(screen.queryByText('VISION-0000')).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Show invoices without a charge' }));
  expect(screen.getByText('VISION-0000')).toBeVisible();
  expect(within(screen.getByRole('table')).getByText('No charge')).toBeVisible();
});

describe('the filter', () => {
  const invoices = [
    anInvoice({ id: 'in_3', number: 'VISION-0003', createdAt: '2027-11-28T10:00:00Z' }),
    anInvoice({ id: 'in_2', number: 'VISION-0002', status: 'void' }),
    anInvoice(),
  ];
  const numbers = () =>
    screen.getAllByRole('link', { name: /^VISION/ }).map((link) => link.textContent);

  it('selects the invoices of a year and with a status', async () => {
    servePages({ data: invoices, hasMore: false });
    show();

    await userEvent.selectOptions(await screen.findByLabelText('Year'), '2026');
    expect(numbers()).toEqual(['VISION-0002', 'VISION-0001']);
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Paid');
    expect(numbers()).toEqual(['VISION-0001']);
    await userEvent.selectOptions(screen.getByLabelText('Year'), '2027');
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Cancelled bill');
    expect(screen.getByText('No invoices with this year and status.')).toBeVisible();
  });

  it('downloads the selected invoices as CSV, also those that are not loaded yet', async () => {
    const [newest, ...older] = invoices as [Invoice, ...Invoice[]];
    const pages = servePages(
      { data: [newest, ...older.slice(0, 1)], hasMore: true },
      { data: older.slice(1), hasMore: false },
    );
    const files: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      files.push(file as Blob);
      return 'blob:1';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    show();

    await userEvent.selectOptions(await screen.findByLabelText('Year'), '2026');
    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));

    await waitFor(() => expect(files).toHaveLength(1));
    expect((await files[0]?.text())?.match(/VISION-\d+/g)).toEqual(['VISION-0002', 'VISION-0001']);
    expect(pages.at(-1)).toEqual({ limit: 100, startingAfter: 'in_2' });
  });

  it('reports invoices that could not be loaded for the download', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    servePages({ data: invoices, hasMore: true });
    show();
    await screen.findByLabelText('Year');
    server.use(http.post('/vc-admin/org/invoices/list', () => HttpResponse.error()));

    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));

    expect(await screen.findByText('The invoices could not be loaded.')).toBeVisible();
  });
});

it('shows the date of the first invoice', async () => {
  servePages({ data: [trial], hasMore: false });
  serveNext({ ...aud(81600), at: '2026-11-28T10:00:00Z' });
  show();

  expect(
    await screen.findByText(
      /^Your first invoice with a charge comes on (28 November 2026|November 28, 2026)$/,
    ),
  ).toBeVisible();
  expect(screen.getByText(/\$816 AUD is charged then/)).toBeVisible();
});

it('says that credit pays for the first invoice', async () => {
  servePages({ data: [], hasMore: false });
  serveNext({ ...aud(0), at: '2026-11-28T10:00:00Z' });
  show();

  expect(await screen.findByText('Your credit pays for it, and it appears here.')).toBeVisible();
  expect(screen.queryByText(/\$0/)).not.toBeInTheDocument();
});

it('does not say that there are no invoices when those without a charge are hidden', async () => {
  servePages({ data: [trial], hasMore: false });
  serveNext(null);
  show();

  expect(await screen.findByText('You have only invoices without a charge')).toBeVisible();
  expect(screen.queryByText('You have no invoices yet')).not.toBeInTheDocument();
});

it('links to the plans when no invoice is expected', async () => {
  servePages({ data: [], hasMore: false });
  serveNext(null);
  show();

  expect(await screen.findByText('You have no invoices yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/plans',
  );
});

it('requests no next charge of a server without billing', async () => {
  serveConfig({ provider: { kind: 'acme', capabilities: ['invoices'] } });
  const billing = vi.fn(() => HttpResponse.json({ next: null }));
  server.use(http.get('/vc-admin/org/billing', billing));
  servePages({ data: [], hasMore: false });
  show();

  expect(await screen.findByText('You have no invoices yet')).toBeVisible();
  expect(billing).not.toHaveBeenCalled();
});

it('loads more invoices after the last one', async () => {
  const requests = servePages(
    { data: [anInvoice({ id: 'in_2', number: 'VISION-0002' })], hasMore: true },
    { data: [anInvoice()], hasMore: false },
  );
  show();
  expect(await screen.findByText('1 invoice loaded, there are more')).toHaveRole('status');

  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('VISION-0001')).toBeVisible();
  expect(screen.getByText('VISION-0002')).toBeVisible();
  expect(requests).toEqual([{ limit: 100 }, { limit: 100, startingAfter: 'in_2' }]);
  expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
});

it('keeps the loaded invoices when the next page fails to load', async () => {
  servePages({ data: [anInvoice()], hasMore: true });
  show();
  await screen.findByText('VISION-0001');
  server.use(http.post('/vc-admin/org/invoices/list', () => HttpResponse.error()));

  await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('More invoices could not be loaded.')).toBeVisible();
  expect(screen.getByText('VISION-0001')).toBeVisible();
});

it('tries again when the invoices could not be loaded', async () => {
  server.use(http.post('/vc-admin/org/invoices/list', () => HttpResponse.error()));
  show();
  await screen.findByText('Your invoices could not be loaded.');
  servePages({ data: [anInvoice()], hasMore: false });

  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('VISION-0001')).toBeVisible();
});

describe('documents', () => {
  const pdf = 'PDF of invoice VISION-0001';

  it('are saved under the number of the invoice', async () => {
    servePages({ data: [anInvoice()], hasMore: false });
    server.use(
      http.get('/vc-admin/org/invoices/in_1/pdf', () =>
        HttpResponse.text('%PDF', { headers: { 'Content-Type': 'application/pdf' } }),
      ),
    );
    const saved: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download);
    });
    show();

    await userEvent.click(await screen.findByRole('button', { name: pdf }));
    await vi.waitFor(() => expect(saved).toEqual(['invoice-VISION-0001.pdf']));
  });

  it('show why they could not be downloaded', async () => {
    servePages({ data: [anInvoice()], hasMore: false });
    const failure = { name: 'ERRNOTFOUND', message: 'There is no such invoice.' };
    server.use(
      http.get('/vc-admin/org/invoices/in_1/pdf', () =>
        HttpResponse.json(failure, { status: 404 }),
      ),
    );
    show();

    await userEvent.click(await screen.findByRole('button', { name: pdf }));
    expect(await screen.findByText('There is no such invoice.')).toBeVisible();
    expect(screen.getByRole('button', { name: pdf })).not.toHaveAttribute('aria-disabled');
  });

  it('are not saved when the response is no document', async () => {
    servePages({ data: [anInvoice()], hasMore: false });
    server.use(http.get('/vc-admin/org/invoices/in_1/pdf', () => HttpResponse.html('<p>Sign in')));
    show();

    await userEvent.click(await screen.findByRole('button', { name: pdf }));
    expect(await screen.findByText('Please try again later!')).toBeVisible();
  });

  it('are hidden when the payment provider has none', async () => {
    serveConfig({ provider: { kind: 'fake', capabilities: capabilitiesWithout('invoice_pdf') } });
    servePages({ data: [anInvoice()], hasMore: false });
    show();

    await screen.findByText('VISION-0001');
    expect(screen.queryByRole('button', { name: pdf })).not.toBeInTheDocument();
  });
});

it('asks to sign in again when the session has ended', async () => {
  servePages({ data: [anInvoice()], hasMore: true });
  show();
  await screen.findByText('VISION-0001');
  const sessionError = { name: 'ERRUNAUTHENTICATED', message: 'Please sign in first.' };
  server.use(
    http.post('/vc-admin/org/invoices/list', () =>
      HttpResponse.json(sessionError, { status: 401 }),
    ),
    http.get('/vc-admin/user/detail', () => HttpResponse.json({ detail: null })),
  );

  await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('Your session has ended')).toBeVisible();
  expect(screen.getByLabelText('Email')).toHaveValue(aUser().email);
});
