import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { errorResponse, serveConfig, serveUser } from '@/testing/handlers';
import { anInvoice } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { openInvoicesScreen, servePages } from './testing';

beforeEach(() => {
  serveConfig();
  serveUser();
});

const buttonName = 'Download PDF of VISION-0001';

it('saves the document under the number of the invoice', async () => {
  servePages({ data: [anInvoice()], hasMore: false });
  server.use(
    http.get('/vc-admin/org/invoices/in_1/pdf', () =>
      HttpResponse.text('%PDF', { headers: { 'Content-Type': 'application/pdf' } }),
    ),
  );
  const fileNames: string[] = [];
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    fileNames.push(this.download);
  });
  openInvoicesScreen();

  await userEvent.click(await screen.findByRole('button', { name: buttonName }));
  await vi.waitFor(() => expect(fileNames).toEqual(['invoice-VISION-0001.pdf']));
});

it("shows the server's message and enables the button again when the download fails", async () => {
  servePages({ data: [anInvoice()], hasMore: false });
  server.use(
    http.get('/vc-admin/org/invoices/in_1/pdf', () =>
      errorResponse('ERRNOTFOUND', 'There is no such invoice.', 404),
    ),
  );
  openInvoicesScreen();

  await userEvent.click(await screen.findByRole('button', { name: buttonName }));
  expect(await screen.findByText('There is no such invoice.')).toBeVisible();
  expect(screen.getByRole('button', { name: buttonName })).not.toHaveAttribute('aria-disabled');
});

it('shows a failure when the response is not a PDF document', async () => {
  servePages({ data: [anInvoice()], hasMore: false });
  server.use(http.get('/vc-admin/org/invoices/in_1/pdf', () => HttpResponse.html('<p>Sign in')));
  openInvoicesScreen();

  await userEvent.click(await screen.findByRole('button', { name: buttonName }));
  expect(await screen.findByText('Please try again later!')).toBeVisible();
});

it('shows no PDF button when the payment provider has no documents', async () => {
  const invoices = [
    anInvoice({ id: 'in_2', number: 'VISION-0002', hasPdf: false }),
    anInvoice({ hasPdf: false }),
  ];
  servePages({ data: invoices, hasMore: false });
  openInvoicesScreen();

  await screen.findByText('VISION-0001');
  expect(screen.getByRole('button', { name: 'Download CSV' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /PDF/ })).not.toBeInTheDocument();
});
