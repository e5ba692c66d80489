import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { BilledSubscription, Invoice } from '@/api';
import { dateText } from '@/testing/date-text';
import {
  aBilledSubscription,
  aLicense,
  aNextAction,
  anOpenPayment,
  fullProvider,
  periodEnd,
} from '@/testing/fixtures';
import { serveConfig } from '@/testing/handlers';
import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { findRegion, openDashboard, serveBilling, serveInvoices } from './testing';

/** An invoice without a charge. */
const trialInvoice = anInvoice({
  id: 'in_0',
  tax: aud(0),
  total: aud(0),
  amountDue: aud(0),
  amountPaid: aud(0),
});

it('links to the latest invoices and shows their totals with the parts by credit, to be paid and refunded', async () => {
  serveBilling(aBilledSubscription());
  const amountFields = (creditUsed: number, amountPaid: number) => ({
    total: aud(3900),
    creditUsed: aud(creditUsed),
    amountDue: aud(3900 - creditUsed),
    amountPaid: aud(amountPaid),
  });
  serveInvoices(
    anInvoice({ id: 'in_3', status: 'open', ...amountFields(0, 1000) }),
    anInvoice({ id: 'in_2', ...amountFields(3165, 735), refunded: aud(100) }),
    anInvoice({ id: 'in_1', ...amountFields(3900, 0) }),
    anInvoice({
      id: 'in_0',
      ...amountFields(0, 3900),
      movements: [{ kind: 'dispute', label: 'Disputed', amount: aud(3900), at: null }],
    }),
  );
  openDashboard();

  const rows = await (await findRegion('Latest invoices')).findAllByRole('listitem');
  expect(rows.map((row) => row.textContent?.replace(/.*\d{4}/, ''))).toEqual([
    '$39.00 AUDProfessional, $29.00 to be paidTo be paid',
    '$39.00 AUDProfessional, $31.65 by credit, $1.00 refundedPaid',
    '$39.00 AUDProfessionalPaid with credit',
    '$39.00 AUDProfessional, $39.00 disputedPaid',
  ]);
  expect((await screen.findAllByRole('link', { name: /Professional/ }))[0]).toHaveAttribute(
    'href',
    '/vc-admin/diy/invoices/in_3',
  );
});

it('downloads the PDF of an invoice, and reports a failure', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveBilling(aBilledSubscription());
  serveInvoices(anInvoice(), anInvoice({ id: 'in_2', number: 'INV-2', hasPdf: false }));
  openDashboard();
  const [button] = await screen.findAllByRole('button', { name: /^Download PDF/ });
  expect(button).toHaveAccessibleName('Download PDF of VISION-0001');
  expect(screen.getAllByRole('button', { name: /^Download PDF/ })).toHaveLength(1);
  server.use(http.get('/vc-admin/org/invoices/in_1/pdf', () => HttpResponse.error()));
  await userEvent.click(button as HTMLElement);
  expect(await screen.findByText('The invoice could not be downloaded')).toBeVisible();
});

it('shows a plan change with a negative total as a credit, and an unpaid invoice as overdue', async () => {
  const [line] = anInvoice().lines as [Invoice['lines'][number]];
  serveBilling(aBilledSubscription({ status: 'past_due' }), {}, { openPayment: anOpenPayment() });
  serveInvoices(
    anInvoice({
      id: 'in_2',
      description: 'Standard',
      lines: [
        { ...line, description: 'Standard', amount: 42000 },
        { ...line, description: 'Unused time on Professional', amount: -81596 },
      ],
      total: aud(-39596),
      creditUsed: aud(-39596),
      amountDue: aud(0),
      amountPaid: aud(0),
    }),
    anInvoice({ status: 'open', amountPaid: aud(0), paidAt: null }),
  );
  openDashboard();
  const rows = await (await findRegion('Latest invoices')).findAllByRole('listitem');
  expect(rows.map((row) => row.textContent?.replace(/.*\d{4}/, ''))).toEqual([
    '−$395.96 AUDChange to StandardCredited',
    '$816.00 AUDProfessionalPayment overdue',
  ]);
});

it.each([
  [
    'a trial',
    { ...aud(81600), at: periodEnd },
    `Your first invoice with a charge comes on ${dateText(periodEnd)}.`,
  ],
  ['a plan without a next charge', null, 'You have only invoices without a charge.'],
])('explains why no invoice is listed for %s', async (_, next, text) => {
  serveBilling(aBilledSubscription(), { next });
  serveInvoices(trialInvoice);
  openDashboard();
  expect(await screen.findByText(text)).toBeVisible();
});

it.each([
  ['trial that continues', null, `due on ${dateText('2026-12-05T00:00:00Z')}`],
  [
    'trial that ends',
    periodEnd,
    `It ends on ${dateText(periodEnd)}. Nothing is charged after that. Your invoice of $816 AUD is cancelled then, and need not be paid.`,
  ],
])('describes the unpaid invoice of a %s', async (_, endsAt, text) => {
  const invoiced = { ...aud(81600), at: '2026-12-05T00:00:00Z' };
  serveBilling(aBilledSubscription({ status: 'trialing', endsAt }), { next: null, invoiced });
  openDashboard();
  const section = await findRegion('Professional');
  expect(section.getByText(text)).toBeVisible();
});

it.each([
  ['trial that continues', null, 'of your invoice of $816 AUD, due on'],
  ['trial that ends', periodEnd, 'Your invoice of $816 AUD is cancelled then'],
])('names the total of the partly paid invoice of a %s', async (_, endsAt, text) => {
  const invoiced = { ...aud(51600), total: 81600, at: '2026-12-05T00:00:00Z' };
  serveBilling(aBilledSubscription({ status: 'trialing', endsAt }), { next: null, invoiced });
  openDashboard();
  const section = await findRegion('Professional');
  expect(section.getByText((content) => content.includes(text))).toBeVisible();
});

/** Opens the dashboard of a plan whose invoice is to be paid by bank transfer. */
async function openBillingWithTransfer(subscription: BilledSubscription) {
  const transferAction = aNextAction({
    kind: 'wait',
    instructions: [{ label: 'Account', value: '1234' }],
  });
  serveBilling(subscription, { next: null }, { license: aLicense(), next: transferAction });
  serveConfig({ provider: { ...fullProvider, entry: 'invoice' } });
  openDashboard();
  await findRegion('Professional');
}

it.each([
  ['is not due yet', aBilledSubscription({ status: 'trialing' })],
  ['belongs to a plan that ends', aBilledSubscription({ endsAt: periodEnd })],
  ['is overdue', aBilledSubscription({ status: 'past_due' })],
])('links once to the transfer instructions for an invoice that %s', async (_, subscription) => {
  await openBillingWithTransfer(subscription);
  expect(screen.getByRole('link', { name: 'See how to pay' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/pay',
  );
});

it('hides the transfer instructions when the invoice is cancelled at the end of the trial', async () => {
  await openBillingWithTransfer(aBilledSubscription({ status: 'trialing', endsAt: periodEnd }));
  expect(screen.queryByRole('link', { name: 'See how to pay' })).not.toBeInTheDocument();
});

it.each([
  ['says', 'all invoices are paid', null, 'paid', 1],
  ['does not say', 'an invoice is open', null, 'open', 0],
  ['does not say', 'a payment is open', anOpenPayment(), 'paid', 0],
] as const)("%s 'Nothing to pay' when %s", async (_verb, _state, openPayment, status, count) => {
  serveBilling(aBilledSubscription(), {}, { openPayment });
  serveInvoices(anInvoice({ status }));
  openDashboard();
  await screen.findByRole('link', { name: /Professional/ });
  expect(screen.queryAllByText('Nothing to pay')).toHaveLength(count);
});

it('shows the billing details', async () => {
  const logged = vi.spyOn(console, 'error');
  serveBilling(aBilledSubscription());
  server.use(
    http.get('/vc-admin/org/billing/details', () =>
      HttpResponse.json({
        legalName: '12 Wharf Road',
        billingEmail: '',
        phone: '+61 2 5550 0142',
        purchaseOrder: '',
        address: {
          line1: '12 Wharf Road',
          country: 'AU',
          state: 'NSW',
          postal_code: '2300',
          city: 'Newcastle',
        },
        taxId: { type: 'au_abn', value: '51824753556' },
      }),
    ),
  );
  openDashboard();
  const details = await findRegion('Billing details');
  expect(await details.findAllByText('12 Wharf Road')).toHaveLength(2);
  expect(details.getByText('Newcastle NSW 2300, Australia')).toBeVisible();
  expect(details.getByText('ABN 51 824 753 556')).toBeVisible();
  expect(logged).not.toHaveBeenCalled(); // as React does for lines with the same key
});
