import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { Billing, Invoice } from '@/api';
import { aBilledSubscription, aLicense, fullProvider, overduePayment } from '@/testing/fixtures';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { aud } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { browserZones, dateVectors, useBrowserZone } from '@/testing/time-zone';
import { renderApp } from './testing';

/** The time and zone in which the invoice is issued and due: the first case of the vectors. */
const [firstVector] = dateVectors as [(typeof dateVectors)[number]];
const { time, zone: timeZone } = firstVector.in;
const longDate = firstVector.want;
const shortDate = '18 Apr 2027';

const invoiced = { ...aud(81600), at: time, timeZone };
const invoice: Invoice = {
  id: 'inv_1',
  number: 'INV-000001',
  status: 'open',
  createdAt: time,
  dueAt: time,
  paidAt: null,
  description: 'Professional',
  lines: [],
  tax: aud(7418),
  total: aud(81600),
  amountDue: aud(81600),
  amountPaid: aud(0),
  hasPdf: true,
  timeZone,
};

/** An organisation that has moved to Hawaii since the invoice was issued. */
const org = { timeZone: 'Pacific/Honolulu' };

function serveInvoice() {
  serveConfig({ provider: { ...fullProvider, entry: 'invoice' } });
  serveUser({ license: { ...aLicense(), invoiced } }, { org });
  const billing: Partial<Billing> = {
    subscription: aBilledSubscription({ periodStart: time, periodEnd: time }),
    next: null,
    invoiced,
    credit: null,
    card: null,
    end: null,
  };
  server.use(http.get('/vc-admin/org/billing', () => HttpResponse.json(billing)));
  servePost('/vc-admin/org/invoices/list', () =>
    HttpResponse.json({ data: [invoice], hasMore: false }),
  );
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe.each(browserZones)('in a browser in %s', (browserZone) => {
  beforeEach(() => {
    useBrowserZone(browserZone);
    serveInvoice();
  });

  it("the dashboard shows dates in the invoice's zone", async () => {
    renderApp('/vc-admin/dash');
    expect(await screen.findByText(`due on ${longDate}`)).toBeVisible();
    const latestInvoices = within(await screen.findByRole('region', { name: 'Latest invoices' }));
    expect(await latestInvoices.findByText(longDate)).toBeVisible();
  });

  it("the list of invoices shows dates in the invoice's zone", async () => {
    renderApp('/vc-admin/diy/invoices');
    const list = await screen.findByRole('list', { name: /^Your invoices/ });
    expect(within(list).getByText(shortDate)).toBeVisible();
  });

  it("the pay screen shows dates in the invoice's zone", async () => {
    serveConfig();
    serveUser(
      { license: aLicense(), openPayment: { ...overduePayment, since: time, timeZone } },
      { org },
    );
    server.use(http.get('/vc-admin/org/customer/cards', () => HttpResponse.json({ data: [] })));
    renderApp('/vc-admin/diy/pay');
    const since = await screen.findByText('Open since');
    expect(since.nextElementSibling).toHaveTextContent(longDate);
  });
});
