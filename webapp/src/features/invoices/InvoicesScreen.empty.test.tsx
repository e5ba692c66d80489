import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { serveConfig, serveUser } from '@/testing/handlers';
import { aud } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { openInvoicesScreen, servePages, trialInvoice } from './testing';

function serveNextCharge(next: object | null) {
  server.use(http.get('/vc-admin/org/billing', () => HttpResponse.json({ next })));
}

beforeEach(() => {
  serveConfig();
  serveUser();
});

it('shows the date and the amount of the first charge', async () => {
  servePages({ data: [trialInvoice], hasMore: false });
  serveNextCharge({ ...aud(81600), at: '2026-11-28T10:00:00Z' });
  openInvoicesScreen();

  expect(
    await screen.findByText(
      /^Your first invoice with a charge comes on (28 November 2026|November 28, 2026)$/,
    ),
  ).toBeVisible();
  expect(screen.getByText(/\$816 AUD is charged then/)).toBeVisible();
});

it('says that credit pays for the first invoice when nothing is charged', async () => {
  servePages({ data: [], hasMore: false });
  serveNextCharge({ ...aud(0), at: '2026-11-28T10:00:00Z' });
  openInvoicesScreen();

  expect(await screen.findByText('Your credit pays for it, and it appears here.')).toBeVisible();
  expect(screen.queryByText(/\$0/)).not.toBeInTheDocument();
});

it('says that there are only invoices without a charge while these are hidden', async () => {
  servePages({ data: [trialInvoice], hasMore: false });
  serveNextCharge(null);
  openInvoicesScreen();

  expect(await screen.findByText('You have only invoices without a charge')).toBeVisible();
  expect(screen.queryByText('You have no invoices yet')).not.toBeInTheDocument();
});

it('links to the plans when no invoice is expected', async () => {
  servePages({ data: [], hasMore: false });
  serveNextCharge(null);
  openInvoicesScreen();

  expect(await screen.findByText('You have no invoices yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/plans',
  );
});

it('requests no next charge from a server without the capability billing', async () => {
  serveConfig({ provider: { kind: 'acme', capabilities: ['invoices'] } });
  const respond = vi.fn(() => HttpResponse.json({ next: null }));
  server.use(http.get('/vc-admin/org/billing', respond));
  servePages({ data: [], hasMore: false });
  openInvoicesScreen();

  expect(await screen.findByText('You have no invoices yet')).toBeVisible();
  expect(respond).not.toHaveBeenCalled();
});
