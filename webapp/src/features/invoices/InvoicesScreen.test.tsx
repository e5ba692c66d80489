import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { aUser } from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser, serveVisitor } from '@/testing/handlers';
import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { listPath, openInvoicesScreen, servePages } from './testing';

beforeEach(() => {
  serveConfig();
  serveUser();
});

it('lists an invoice with its date, total, status and PDF button', async () => {
  servePages({ data: [anInvoice()], hasMore: false });
  openInvoicesScreen();

  const row = (await screen.findByText('VISION-0001')).closest('li') as HTMLElement;
  expect(row).toHaveTextContent(/28 Nov 2026|Nov 28, 2026/);
  expect(row).toHaveTextContent('Professional');
  expect(row).toHaveTextContent('$816 AUD');
  expect(row).toHaveTextContent('Paid');
  expect(within(row).getByRole('button', { name: 'Download PDF of VISION-0001' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
});

it("shows 'On its way' instead of 'To be paid' while the payment of an invoice is processing", async () => {
  const amountPaid = aud(0);
  servePages({
    data: [anInvoice({ status: 'open', processing: true, amountPaid, paidAt: null })],
    hasMore: false,
  });
  openInvoicesScreen();
  const row = (await screen.findByText('VISION-0001')).closest('li') as HTMLElement;
  expect(row).toHaveTextContent('On its way');
  expect(row).not.toHaveTextContent('To be paid');
});

it('shows how a total was settled that was not paid as a whole', async () => {
  const amounts = {
    total: aud(34210),
    creditUsed: aud(4210),
    amountDue: aud(30000),
    amountPaid: aud(30000),
    refunded: aud(1000),
  };
  servePages({ data: [anInvoice({ id: 'in_2', ...amounts }), anInvoice()], hasMore: false });
  openInvoicesScreen();

  expect(await screen.findByText('$342.10 AUD')).toBeVisible();
  const [settledRow, paidRow] = within(
    screen.getByRole('list', { name: /^Your invoices/ }),
  ).getAllByRole('listitem');
  expect(settledRow).toHaveTextContent(/Credit used −\$42.10, Paid −\$300.00, Refunded \$10.00$/);
  expect(paidRow).toHaveTextContent(/Paid$/);
});

it('shows a disputed payment beside the total', async () => {
  const movements = [
    { kind: 'payment', label: 'Paid', amount: aud(-81600), at: null },
    { kind: 'dispute', label: 'Disputed, taken back by your bank', amount: aud(81600), at: null },
    { kind: 'dispute_lost', label: 'Not owed again', amount: aud(-81600), at: null },
  ];
  servePages({ data: [anInvoice({ movements })], hasMore: false });
  openInvoicesScreen();

  const row = (await screen.findByText('VISION-0001')).closest('li');
  expect(row).toHaveTextContent(
    /Paid −\$816, Disputed, taken back by your bank \$816, Not owed again −\$816$/,
  );
});

it('has one link in each row, to the page of the invoice', async () => {
  servePages({ data: [anInvoice()], hasMore: false });
  openInvoicesScreen();

  const row = (await screen.findByText('VISION-0001')).closest('li') as HTMLElement;
  const links = within(row).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/vc-admin/diy/invoices/in_1']);
});

it.each([
  ['To be paid', anInvoice({ status: 'open' })],
  ['Cancelled', anInvoice({ status: 'void' })],
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

  const row = (await screen.findByText('VISION-0001')).closest('li') as HTMLElement;
  expect(row).toHaveTextContent(/\$816 AUD.*To be paidPaid −\$300, Amount due \$516$/);
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
