import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { dateText } from '@/testing/date-text';
import {
  aBilledSubscription,
  aLicense,
  aNextAction,
  billingDetails,
  fullProvider,
  overduePayment,
} from '@/testing/fixtures';
import { serveConfig, serveUser } from '@/testing/handlers';
import { anInvoice } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { renderApp } from './testing';

const reportedAt = '2026-12-08T00:00:00Z';

it.each([
  ['the pay screen', '/vc-admin/diy/pay'],
  ['the page of the invoice', '/vc-admin/diy/invoices/in_1'],
  ['the list of invoices', '/vc-admin/diy/invoices'],
  ['the dashboard', '/vc-admin/dash'],
])('a reported transfer is named with its date on %s', async (_, path) => {
  const instructions = [{ label: 'Reference', value: 'INV-1' }];
  const next = { ...aNextAction({ kind: 'wait', instructions }), invoice: 'in_1', reportedAt };
  serveConfig({ provider: { ...fullProvider, kind: 'invoice', entry: 'invoice' } });
  serveUser({ license: aLicense(), openPayment: { ...overduePayment, invoiceId: 'in_1' }, next });
  const subscription = aBilledSubscription({ status: 'past_due' });
  const invoice = anInvoice({ status: 'open', amountPaid: { amount: 0, currency: 'AUD' } });
  server.use(
    http.get('/vc-admin/org/billing', () =>
      HttpResponse.json({ subscription, next: null, credit: null, card: null, end: null }),
    ),
    http.get('/vc-admin/org/billing/details', () => HttpResponse.json(billingDetails)),
    http.post('/vc-admin/org/invoices/list', () =>
      HttpResponse.json({ data: [invoice], hasMore: false }),
    ),
  );
  renderApp(path);
  const text = `You told us on ${dateText(reportedAt)} that you have paid.`;
  const places = await screen.findAllByText((content) => content.includes(text));
  expect(places[0]).toBeVisible();
});
