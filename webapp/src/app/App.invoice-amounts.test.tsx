import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { Billing, Invoice } from '@/api';
import { invoiceCsv } from '@/features/invoices/invoice-csv';
import {
  aBilledSubscription,
  aConfig,
  aLicense,
  anOpenPayment,
  fullProvider,
} from '@/testing/fixtures';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { renderApp } from './testing';

/** An overdue invoice of $39, of which credit has paid $12.50. */
const invoice: Invoice = anInvoice({
  status: 'open',
  paidAt: null,
  lines: [],
  tax: aud(355),
  total: aud(3900),
  creditUsed: aud(1250),
  amountDue: aud(2650),
  amountPaid: aud(0),
});

const openPayment = anOpenPayment({
  invoiceId: invoice.id,
  amount: 2650,
  total: 3900,
  creditUsed: 1250,
});

beforeEach(() => {
  serveConfig({ provider: fullProvider });
  serveUser({ license: aLicense(), openPayment });
  const billing: Partial<Billing> = {
    subscription: aBilledSubscription({ status: 'past_due' }),
    next: null,
    credit: null,
    card: null,
    end: null,
  };
  server.use(
    http.get('/vc-admin/org/billing', () => HttpResponse.json(billing)),
    http.get('/vc-admin/org/customer/cards', () => HttpResponse.json({ data: [] })),
  );
  servePost('/vc-admin/org/invoices/list', () =>
    HttpResponse.json({ data: [invoice], hasMore: false }),
  );
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

/** Requires the total, the part that credit has paid and the amount due, in this order. */
function expectAmounts(element: HTMLElement): void {
  expect(element).toHaveTextContent(/\$39\.00.*\$12\.50.*\$26\.50/);
}

describe('an invoice of which credit has paid a part has the same amounts', () => {
  it('in the latest invoices of billing', async () => {
    renderApp('/vc-admin/diy/billing');
    const section = within(await screen.findByRole('region', { name: 'Latest invoices' }));
    expectAmounts(await section.findByRole('listitem'));
  });

  it('in the list of invoices and its CSV', async () => {
    renderApp('/vc-admin/diy/invoices');
    const list = within(await screen.findByRole('list', { name: /^Your invoices/ }));
    expectAmounts(list.getByRole('listitem'));
    const row = invoiceCsv([invoice], aConfig(), null).split('\r\n')[1];
    expect(row).toContain('AUD,39.00,3.55,12.50,,0.00,,,26.50');
  });

  it('on the page of the invoice', async () => {
    renderApp(`/vc-admin/diy/invoices/${invoice.id}`);
    await screen.findByText('Credit used');
    expectAmounts(screen.getByRole('main'));
  });

  it('on the pay screen', async () => {
    renderApp('/vc-admin/diy/pay');
    const section = await screen.findByRole('region', { name: 'What you pay' });
    expect(section).toHaveTextContent(/\$39\.00/);
    expect(section).toHaveTextContent(/−\$12\.50/);
    expect(section).toHaveTextContent(/\$26\.50/);
  });
});
