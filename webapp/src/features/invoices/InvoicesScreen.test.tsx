import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Invoice } from '@/api';
import { aUser } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser, serveVisitor } from '@/testing/handlers';
import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { usePhoneViewport } from '@/testing/viewport';
import { listPath, openInvoicesScreen, servePages } from './testing';

beforeEach(() => {
  serveConfig();
  serveUser();
});

it('lists an invoice with its date, amount, tax, status and PDF button', async () => {
  servePages({ data: [anInvoice()], hasMore: false });
  openInvoicesScreen();

  const row = (await screen.findByText('VISION-0001')).closest('tr') as HTMLElement;
  expect(row).toHaveTextContent(/28 Nov 2026|Nov 28, 2026/);
  expect(row).toHaveTextContent('Professional');
  expect(row).toHaveTextContent('$816.00 AUD');
  expect(row).toHaveTextContent('includes $74.18 GST');
  expect(row).toHaveTextContent('Paid');
  expect(within(row).getByRole('button', { name: 'PDF of invoice VISION-0001' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
});

it("shows 'On its way' instead of 'To be paid' while the payment of an invoice is processing", async () => {
  const amountPaid = aud(0);
  servePages({
    data: [anInvoice({ status: 'open', processing: true, amountPaid, paidAt: null })],
    hasMore: false,
  });
  openInvoicesScreen();
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
  openInvoicesScreen();

  expect(await screen.findByText('$342.10 AUD')).toBeVisible();
  for (const text of ['Credit used −$42.10', 'Paid −$300.00', 'Refunded $10.00']) {
    expect(screen.getByRole('table')).toHaveTextContent(text);
  }
  expect(screen.getByText('−$322.80')).toBeVisible();
});

it.each([
  ['To be paid', anInvoice({ status: 'open' })],
  ['Cancelled bill', anInvoice({ status: 'void' })],
  ['Not paid', anInvoice({ status: 'uncollectible' })],
  ['Credited', anInvoice({ total: aud(-5000), amountPaid: aud(0) })],
])('shows the status of an invoice as "%s"', async (label, invoice) => {
  servePages({ data: [invoice], hasMore: false });
  openInvoicesScreen();

  expect(await screen.findByText(label)).toBeVisible();
});

it('shows the paid part and the amount due of a partly paid invoice', async () => {
  servePages({ data: [anInvoice({ status: 'open', amountPaid: aud(30000) })], hasMore: false });
  openInvoicesScreen();

  const row = (await screen.findByText('VISION-0001')).closest('tr') as HTMLElement;
  expect(row).toHaveTextContent(
    '$816.00 AUDincludes $74.18 GSTPaid −$300.00Amount due $516.00To be paid',
  );
});

it('shows cards instead of a table on a phone', async () => {
  usePhoneViewport();
  servePages({ data: [anInvoice({ refunded: aud(81600) })], hasMore: false });
  openInvoicesScreen();

  const card = (await screen.findByText('VISION-0001')).closest('li') as HTMLElement;
  expect(card).toHaveTextContent('$816.00 AUD');
  expect(card).toHaveTextContent('Refunded $816.00');
  expect(within(card).getByRole('button', { name: /^PDF/ })).toBeVisible();
  expect(screen.queryByRole('table')).not.toBeInTheDocument();
});

it('loads the next page when Load more is pressed', async () => {
  const requests = servePages(
    { data: [anInvoice({ id: 'in_2', number: 'VISION-0002' })], hasMore: true },
    { data: [anInvoice()], hasMore: false },
  );
  openInvoicesScreen();
  expect(await screen.findByText('1 invoice loaded, there are more')).toHaveRole('status');

  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('VISION-0001')).toBeVisible();
  expect(screen.getByText('VISION-0002')).toBeVisible();
  expect(requests).toEqual([{ limit: 100 }, { limit: 100, startingAfter: 'in_2' }]);
  expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
});

it('keeps the loaded invoices when the next page fails to load', async () => {
  servePages({ data: [anInvoice()], hasMore: true });
  openInvoicesScreen();
  await screen.findByText('VISION-0001');
  server.use(http.post(listPath, () => HttpResponse.error()));

  await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('More invoices could not be loaded.')).toBeVisible();
  expect(screen.getByText('VISION-0001')).toBeVisible();
});

it('loads the invoices again when Try again is pressed after a failure', async () => {
  server.use(http.post(listPath, () => HttpResponse.error()));
  openInvoicesScreen();
  await screen.findByText('Your invoices could not be loaded.');
  servePages({ data: [anInvoice()], hasMore: false });

  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('VISION-0001')).toBeVisible();
});

it('asks the user to sign in again, with the email filled in, when the session has ended', async () => {
  servePages({ data: [anInvoice()], hasMore: true });
  openInvoicesScreen();
  await screen.findByText('VISION-0001');
  servePost(listPath, () => errorResponse('ERRUNAUTHENTICATED', 'Please sign in first.', 401));
  serveVisitor();

  await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('Your session has ended')).toBeVisible();
  expect(screen.getByLabelText('Email')).toHaveValue(aUser().email);
});
