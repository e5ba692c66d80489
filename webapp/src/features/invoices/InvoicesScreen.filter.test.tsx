import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { serveConfig, serveUser } from '@/testing/handlers';
import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { listPath, openInvoicesScreen, servePages, trialInvoice } from './testing';

beforeEach(() => {
  serveConfig();
  serveUser();
});

it('hides invoices without a charge until the customer shows them with the checkbox', async () => {
  servePages({ data: [anInvoice(), trialInvoice], hasMore: false });
  openInvoicesScreen();

  await screen.findByText('VISION-0001');
  expect(screen.queryByText('VISION-0000')).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Show invoices without a charge' }));
  expect(screen.getByText('VISION-0000')).toBeVisible();
  expect(
    within(screen.getByRole('list', { name: /^Your invoices/ })).getByText('No charge'),
  ).toBeVisible();
});

describe('the filter', () => {
  const invoices = [
    anInvoice({ id: 'in_3', number: 'VISION-0003', createdAt: '2027-11-28T10:00:00Z' }),
    anInvoice({ id: 'in_2', number: 'VISION-0002', status: 'void' }),
    anInvoice(),
  ];
  const listedNumbers = () =>
    screen.getAllByRole('link', { name: /^VISION/ }).map((link) => link.textContent);

  it('lists the invoices with the selected year and status, or says that there are none', async () => {
    servePages({ data: invoices, hasMore: false });
    openInvoicesScreen();

    await userEvent.selectOptions(await screen.findByLabelText('Year'), '2026');
    expect(listedNumbers()).toEqual(['VISION-0002', 'VISION-0001']);
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Paid');
    expect(listedNumbers()).toEqual(['VISION-0001']);
    await userEvent.selectOptions(screen.getByLabelText('Year'), '2027');
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Cancelled');
    expect(screen.getByText('No invoices with this year and status.')).toBeVisible();
  });

  it('offers the financial years from July to June in the time zone of the invoices', async () => {
    const timeZone = 'Australia/Sydney';
    const data = [
      anInvoice({ id: 'in_3', number: 'VISION-0003', createdAt: '2027-06-30T14:00:00Z', timeZone }),
      anInvoice({ id: 'in_2', number: 'VISION-0002', createdAt: '2027-06-30T13:59:00Z', timeZone }),
      anInvoice({ timeZone }),
    ];
    servePages({ data, hasMore: false });
    openInvoicesScreen();

    const years = await screen.findByRole('group', { name: 'Financial years' });
    const options = within(years).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual([
      '2027–28, July to June',
      '2026–27, July to June',
    ]);
    await userEvent.selectOptions(screen.getByLabelText('Year'), '2026–27, July to June');
    expect(listedNumbers()).toEqual(['VISION-0002', 'VISION-0001']);
  });

  const creditNoteMovement = (creditNote: string) => ({
    ...{ kind: 'credit_note', label: 'Credit note', amount: aud(-100), creditNote },
    at: '2026-12-01T10:00:00Z',
  });

  it('downloads the PDFs of the selected invoices and their credit notes as a ZIP file', async () => {
    const numbers = ['VISION-0002-CN-01', 'VISION-0002-CN-01', 'VISION-0002-CN-02'];
    const movements = numbers.map(creditNoteMovement);
    servePages(
      { data: [anInvoice(invoices[0]), { ...anInvoice(invoices[1]), movements }], hasMore: true },
      { data: invoices.slice(2), hasMore: false },
    );
    const loadedPaths: string[] = [];
    server.use(
      http.get('/vc-admin/org/invoices/*', ({ request }) => {
        loadedPaths.push(new URL(request.url).pathname.replace('/vc-admin/org/invoices/', ''));
        return HttpResponse.text('%PDF', { headers: { 'Content-Type': 'application/pdf' } });
      }),
    );
    const logged = vi.spyOn(console, 'error');
    const files: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      files.push(file as Blob);
      return 'blob:1';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    openInvoicesScreen();

    await userEvent.selectOptions(await screen.findByLabelText('Year'), '2026');
    await userEvent.click(screen.getByRole('button', { name: 'Download PDFs' }));

    await waitFor(() => expect(files).toHaveLength(1));
    expect(logged).not.toHaveBeenCalled(); // as React does for rows with the same key
    const names = [
      'invoice-VISION-0002.pdf',
      'credit-note-VISION-0002-CN-01.pdf',
      'credit-note-VISION-0002-CN-02.pdf',
      'invoice-VISION-0001.pdf',
    ];
    expect((await files[0]?.text())?.match(/[a-z][\w-]+\.pdf/g)).toEqual([
      ...names, // before each document
      ...names, // in the directory
    ]);
    expect(loadedPaths).toEqual([
      'in_2/pdf',
      'in_2/credit-notes/VISION-0002-CN-01/pdf',
      'in_2/credit-notes/VISION-0002-CN-02/pdf',
      'in_1/pdf',
    ]);
  });

  it('downloads a credit note of an invoice without a PDF', async () => {
    const movements = [creditNoteMovement('VISION-0001-CN-01')];
    const data = [anInvoice({ hasPdf: false, movements }), anInvoice({ id: 'in_0' })];
    servePages({ data, hasMore: false });
    server.use(http.get('/vc-admin/org/invoices/*', () => HttpResponse.error()));
    openInvoicesScreen();

    await userEvent.click(await screen.findByRole('button', { name: 'Download PDFs' }));

    expect(
      await screen.findByText(
        'The PDF of credit note VISION-0001-CN-01 could not be loaded. Please try again later!',
      ),
    ).toBeVisible();
  });

  it('counts credit notes among the documents of a ZIP file', async () => {
    const movements = Array.from({ length: 100 }, (_, n) => creditNoteMovement(`CN-${n}`));
    servePages({ data: [anInvoice({ movements }), anInvoice({ id: 'in_0' })], hasMore: false });
    openInvoicesScreen();

    await userEvent.click(await screen.findByRole('button', { name: 'Download PDFs' }));

    expect(
      await screen.findByText('A ZIP file has at most 100 documents. Please select a year.'),
    ).toBeVisible();
  });

  it('downloads no ZIP file and names the invoice when one of the PDFs can’t be loaded', async () => {
    servePages({ data: invoices, hasMore: false });
    server.use(http.get('/vc-admin/org/invoices/:id/pdf', () => HttpResponse.error()));
    const createObjectURL = vi.spyOn(URL, 'createObjectURL');
    openInvoicesScreen();

    await userEvent.click(await screen.findByRole('button', { name: 'Download PDFs' }));

    expect(
      await screen.findByText(
        'The PDF of VISION-0003 could not be loaded. Please try again later!',
      ),
    ).toBeVisible();
    expect(createObjectURL).not.toHaveBeenCalled();
  });

  it('downloads the selected invoices of all pages as CSV', async () => {
    const requests = servePages(
      { data: invoices.slice(0, 2), hasMore: true },
      { data: invoices.slice(2), hasMore: false },
    );
    const files: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      files.push(file as Blob);
      return 'blob:1';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    openInvoicesScreen();

    await userEvent.selectOptions(await screen.findByLabelText('Year'), '2026');
    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));

    await waitFor(() => expect(files).toHaveLength(1));
    expect((await files[0]?.text())?.match(/VISION-\d+/g)).toEqual(['VISION-0002', 'VISION-0001']);
    expect(requests.at(-1)).toEqual({ limit: 100, startingAfter: 'in_2' });
  });

  it('shows a message when the invoices for the download can’t be loaded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    servePages({ data: invoices, hasMore: true });
    openInvoicesScreen();
    await screen.findByLabelText('Year');
    server.use(http.post(listPath, () => HttpResponse.error()));

    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));

    expect(await screen.findByText('The invoices could not be loaded.')).toBeVisible();
  });
});
