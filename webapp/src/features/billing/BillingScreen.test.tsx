import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { BilledSubscription, Billing, Capability, UserDetail } from '@/api';
import { dateText } from '@/lib/plan-text';
import { aCard } from '@/testing/card-provider';
import {
  aLicense,
  aNextAction,
  anInvoice,
  anOpenPayment,
  aQuote,
  authentication,
  fullProvider,
  overdue,
  owed,
  without,
} from '@/testing/fixtures';
import { serveConfig, serveSubscriptionCall, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import BillingScreen from './BillingScreen';

const at = '2027-11-21T00:00:00Z';
const aud = (amount: number) => ({ amount, currency: 'AUD' });

const aBilledSubscription = (changes: Partial<BilledSubscription> = {}): BilledSubscription => ({
  status: 'active',
  priceId: 'professional_yearly',
  interval: 'yearly',
  currency: 'AUD',
  amount: 81600,
  periodStart: '2026-11-21T00:00:00Z',
  periodEnd: at,
  trialEnd: null,
  endsAt: null,
  planEndsAt: null,
  hold: null,
  pending: null,
  scheduled: null,
  ...changes,
});

function serveBilling(
  subscription: BilledSubscription | null,
  more: Partial<Billing> = {},
  user: Partial<UserDetail> = {},
  missing: Capability[] = [],
) {
  serveConfig({ provider: { ...fullProvider, capabilities: without(...missing) } });
  serveUser(user);
  const billing: Billing = {
    subscription,
    next: subscription && { ...aud(81600), at },
    credit: null,
    card: aCard('4242'),
    end: subscription && { kind: 'period_end', at },
    ...more,
  };
  server.use(
    http.get('/vc-admin/org/billing', () => HttpResponse.json(billing)),
    http.post('/vc-admin/org/invoices/list', () => HttpResponse.json({ data: [], hasMore: false })),
  );
}

const show = () => renderScreen(BillingScreen, '/vc-admin/diy/billing');
const plan = async (name: string) => within(await screen.findByRole('region', { name }));

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

it('shows the next charge with its date and card', async () => {
  serveBilling(aBilledSubscription(), { credit: aud(2205) });
  show();
  const card = await plan('Professional');
  expect(
    card.getByText(
      `Professional, yearly. Next charge: $816 AUD on ${dateText(at)} to Visa •••• 4242.`,
    ),
  ).toBeVisible();
  expect(card.getByText('$22.05 AUD of credit pays for what comes next.')).toBeVisible();
  expect(card.getByRole('link', { name: 'End plan' })).toHaveAttribute('href', '/vc-admin/diy/end');
  expect(screen.getByRole('link', { name: 'Manage card(s)' })).toBeVisible();
  expect(await screen.findByText(`Your first invoice comes on ${dateText(at)}.`)).toBeVisible();
});

it('says that credit pays for the next period instead of a charge of zero', async () => {
  serveBilling(aBilledSubscription(), { credit: aud(90000), next: { ...aud(0), at } });
  show();
  const card = await plan('Professional');
  expect(
    card.getByText(
      `Professional, yearly. Nothing is charged on ${dateText(at)}: your credit pays for the next period.`,
    ),
  ).toBeVisible();
  expect(card.queryByText(/Next charge|Visa/)).not.toBeInTheDocument();
});

it.each([
  ['that ends', aBilledSubscription({ endsAt: at }), 'Professional'],
  ['that has ended', null, 'Your Standard plan has ended'],
])('says that the credit of a plan %s is kept', async (_, subscription, name) => {
  const user = subscription ? {} : { pastLicense: aLicense() };
  serveBilling(subscription, { credit: aud(2205), next: null }, user, ['quotes']);
  show();
  const card = await plan(name);
  expect(
    card.getByText('Your credit of $22.05 AUD is kept and used when you subscribe again.'),
  ).toBeVisible();
  expect(screen.queryByText(/pays for what comes next/)).not.toBeInTheDocument();
});

it('does not call a payment overdue that the bank wants approved', async () => {
  const openPayment = anOpenPayment({ approval: true });
  serveBilling(aBilledSubscription({ status: 'past_due' }), {}, { openPayment });
  show();
  const card = await plan('Professional');
  expect(card.getByText('to be approved')).toBeVisible();
  expect(card.queryByText(/overdue/)).not.toBeInTheDocument();
});

it('asks to approve a card instead of announcing a charge to it', async () => {
  serveBilling(aBilledSubscription({ status: 'trialing' }), {}, { openPayment: authentication });
  show();
  const card = await plan('Professional');
  expect(
    card.getByText(
      `Professional, yearly. $816 AUD is due on ${dateText(at)}, but your bank has not approved Visa •••• 4242 yet.`,
    ),
  ).toBeVisible();
  expect(card.getByRole('link', { name: 'Approve your card' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/pay',
  );
  expect(screen.queryByText(/Next charge/)).not.toBeInTheDocument();
});

const trialInvoice = anInvoice({
  id: 'in_0',
  tax: aud(0),
  total: aud(0),
  amountDue: aud(0),
  amountPaid: aud(0),
});

it('shows what was charged for the latest invoices, and what credit has paid', async () => {
  serveBilling(aBilledSubscription());
  const settled = (creditUsed: number, amountPaid: number) => ({
    total: aud(3900),
    creditUsed: aud(creditUsed),
    amountDue: aud(3900 - creditUsed),
    amountPaid: aud(amountPaid),
  });
  const data = [
    anInvoice({ id: 'in_3', status: 'open', ...settled(0, 1000) }),
    anInvoice({ id: 'in_2', ...settled(3165, 735), refunded: aud(100) }),
    anInvoice({ id: 'in_1', ...settled(3900, 0) }),
  ];
  server.use(
    http.post('/vc-admin/org/invoices/list', () => HttpResponse.json({ data, hasMore: false })),
  );
  show();

  const rows = (await plan('Latest invoices')).findAllByRole('listitem');
  expect((await rows).map((row) => row.textContent?.replace(/.*VISION-0001/, ''))).toEqual([
    'To be paid$29 AUDTotal $39Paid −$10Amount due $29',
    'Paid$7.35 AUDTotal $39Credit used −$31.65Paid −$7.35Refunded $1',
    'Paid with credit$39 AUDTotal $39Credit used −$39',
  ]);
});

it.each([
  ['a trial', { ...aud(81600), at }, `Your first invoice with a charge comes on ${dateText(at)}.`],
  ['a plan that ends', null, 'You have only invoices without a charge.'],
])('mentions invoices without a charge of %s', async (_, next, text) => {
  serveBilling(aBilledSubscription(), { next });
  server.use(
    http.post('/vc-admin/org/invoices/list', () =>
      HttpResponse.json({ data: [trialInvoice], hasMore: false }),
    ),
  );
  show();
  expect(await screen.findByText(text)).toBeVisible();
});

it.each([
  [null, `Your invoice of $816 AUD is due on ${dateText('2026-12-05T00:00:00Z')}.`],
  [
    at,
    `It ends on ${dateText(at)}. Nothing is charged after that. Your invoice of $816 AUD is cancelled then, and need not be paid.`,
  ],
])('describes the issued invoice of a trial that ends at %s', async (endsAt, text) => {
  const invoiced = { ...aud(81600), at: '2026-12-05T00:00:00Z' };
  serveBilling(aBilledSubscription({ status: 'trialing', endsAt }), { next: null, invoiced });
  show();
  const card = await plan('Professional');
  expect(card.getByText(`Professional, yearly. ${text}`)).toBeVisible();
});

it.each([
  [null, '$516 AUD of your invoice of $816 AUD is due on'],
  [at, 'Your invoice of $816 AUD is cancelled then'],
])('names the total of an invoice that is paid in part, ending at %s', async (endsAt, text) => {
  const invoiced = { ...aud(51600), total: 81600, at: '2026-12-05T00:00:00Z' };
  serveBilling(aBilledSubscription({ status: 'trialing', endsAt }), { next: null, invoiced });
  show();
  const card = await plan('Professional');
  expect(card.getByText((content) => content.includes(text))).toBeVisible();
});

it.each([
  ['requested', at, `It was ended on ${dateText(at)}, as your organisation requested.`],
  ['unpaid', at, `It ended on ${dateText(at)}, because its last bill was not paid.`],
  ['unpaid', undefined, 'It ended, because its last bill was not paid.'],
  [undefined, at, `It ended on ${dateText(at)}.`],
] as const)('shows when and why a plan has ended: %s', async (end_cause, ended_at, text) => {
  serveBilling(null, {}, { pastLicense: { ...aLicense(), ended_at, end_cause } }, ['quotes']);
  show();
  expect((await plan('Your Standard plan has ended')).getByText(text)).toBeVisible();
});

it('offers the trial again when the first payment was not made', async () => {
  serveBilling(null, {}, { pastLicense: { ...aLicense(), end_cause: 'never_started' } });
  show();
  const card = await plan('Your Standard plan has not started');
  expect(card.getByText('Its first payment was not made in time.')).toBeVisible();
  expect(card.getByRole('link', { name: 'Choose a plan' })).toBeVisible();
  expect(card.queryByText(/Subscribe again/)).not.toBeInTheDocument();
});

it.each([
  ['that is not due yet', aBilledSubscription({ status: 'trialing' }), true],
  ['of a plan that ends', aBilledSubscription({ endsAt: at }), true],
  [
    'that is cancelled with the trial',
    aBilledSubscription({ status: 'trialing', endsAt: at }),
    false,
  ],
  ['that is overdue', aBilledSubscription({ status: 'past_due' }), true],
])('leads to the account and reference of an invoice %s', async (_, subscription, leads) => {
  const next = aNextAction({ kind: 'wait', instructions: [{ label: 'Account', value: '1234' }] });
  serveBilling(subscription, { next: null }, { license: aLicense(), next });
  serveConfig({ provider: { ...fullProvider, entry: 'invoice' } });
  show();
  await plan('Professional');
  const links = screen.queryAllByRole('link', { name: 'See how to pay' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    leads ? ['/vc-admin/diy/pay'] : [],
  );
});

it('shows how much of the trial is left', async () => {
  const now = Date.parse('2026-11-23T12:00:00Z') / 1000;
  const trialEnd = '2026-11-28T00:00:00Z';
  serveBilling(aBilledSubscription({ status: 'trialing', trialEnd }), {}, { now });
  show();
  expect(await screen.findByText('Free trial: 5 days left')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Free trial' })).toHaveAttribute('value', '2');
});

it('keeps the plan instead of a scheduled change', async () => {
  const scheduled = { priceId: 'standard_yearly', amount: 42000, at };
  serveBilling(aBilledSubscription({ scheduled }));
  const bodies = serveSubscriptionCall(
    'scheduled/cancel',
    { id: 'sub_1', status: 'active' },
    200,
    () => serveBilling(aBilledSubscription()),
  );
  show();
  const card = await plan('Professional');
  expect(card.getByText(/^Standard from/)).toHaveTextContent(`Standard from ${dateText(at)}`);
  await userEvent.click(card.getByRole('button', { name: 'Keep Professional' }));

  expect(await screen.findByText('You keep Professional.')).toBeVisible();
  expect(screen.queryByText(/^Standard from/)).not.toBeInTheDocument();
  expect(bodies).toEqual([{}]);
});

it('resumes a plan that is ending', async () => {
  serveBilling(aBilledSubscription({ endsAt: at }), { next: null, end: null });
  serveSubscriptionCall('resume', { id: 'sub_1', status: 'active' }, 200, () =>
    serveBilling(aBilledSubscription()),
  );
  show();
  expect(await screen.findByText(/It ends on .* Nothing is charged after that\./)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Resume Professional' }));
  expect(await screen.findByText('You keep Professional.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'End plan' })).toBeVisible();
});

it('offers to subscribe again, with the amount, when it is too late to resume', async () => {
  const pastLicense = {
    ...aLicense(),
    raw: { ...aLicense().raw, metadata: { name: 'professional', interval: 'yearly' as const } },
  };
  serveBilling(aBilledSubscription({ endsAt: at }), { next: null, end: null });
  serveSubscriptionCall('resume', { name: 'ERRCONFLICT', message: 'It has ended.' }, 409, () =>
    serveBilling(null, {}, { pastLicense }),
  );
  serveSubscriptionCall('quote', aQuote({ dueNow: aud(81600) }));
  const location = show();
  await userEvent.click(await screen.findByRole('button', { name: 'Resume Professional' }));
  await userEvent.click(
    await screen.findByRole('button', { name: 'Subscribe again, $816 AUD today' }),
  );
  expect(location.path).toBe('/vc-admin/diy/confirm?debug=true');
  expect(location.state).toMatchObject({ mode: 'update', to: { product: 'professional' } });
});

it('offers no other subscription while a payment is disputed', async () => {
  const quotes = serveSubscriptionCall('quote', aQuote({ dueNow: aud(81600) }));
  serveBilling(null, {}, { pastLicense: aLicense(), hold: 'disputed' });
  show();
  const card = await plan('Your Standard plan has ended');
  expect(card.queryByRole('button')).not.toBeInTheDocument();
  expect(card.queryByText(/[Ss]ubscribe again/)).not.toBeInTheDocument();
  expect(quotes).toEqual([]);
});

it.each([
  [owed, null, 'Your Standard plan has ended'],
  [
    anOpenPayment({ kind: 'first_payment' }),
    aBilledSubscription({ status: 'incomplete' }),
    'Your first payment is not made yet',
  ],
  [anOpenPayment({ kind: 'first_payment' }), null, 'Your first payment is not made yet'],
])(
  'leads to the pay screen instead of a new subscription: %#',
  async (openPayment, subscription, title) => {
    serveBilling(subscription, {}, { pastLicense: aLicense(), openPayment });
    show();
    const card = await plan(title);
    expect(card.getByRole('link', { name: 'Pay $39 AUD' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/pay?debug=true',
    );
    expect(
      screen.queryByText(/Subscribe again|Nothing is charged any more/),
    ).not.toBeInTheDocument();
  },
);

it.each([
  [
    'an overdue plan',
    aBilledSubscription({ status: 'past_due', planEndsAt: at }),
    { openPayment: overdue },
    /A payment of \$39 AUD is overdue\. Without it your plan ends on/,
  ],
  [
    'a payment to approve',
    aBilledSubscription({ status: 'past_due', planEndsAt: at }),
    { openPayment: anOpenPayment({ approval: true }) },
    /Your bank wants you to approve the payment of \$39 AUD for Standard\. Without it your plan ends on/,
  ],
  [
    'a change that waits for its payment',
    aBilledSubscription({
      pending: { priceId: 'standard_yearly', amount: 42000, expiresAt: at, invoiceId: 'in_1' },
    }),
    {},
    /\$420 AUD is open until .* You keep Professional\./,
  ],
  [
    'a hold',
    aBilledSubscription({ hold: 'disputed' }),
    {},
    /^A payment of your organisation is disputed\. Please contact us:/,
  ],
  [
    'a pause',
    aBilledSubscription({ pause: { until: null } }),
    {},
    /^Your payments are paused\. Please contact us:/,
  ],
  [
    'an open first payment',
    aBilledSubscription({ status: 'incomplete' }),
    {},
    /Your plan starts when/,
  ],
  ['no plan', null, {}, /Nothing is charged before you choose one/],
  ['a developer license', null, { license: aLicense({ isDev: true }) }, /developer licence/],
])('explains %s', async (_, subscription, user, text) => {
  serveBilling(subscription, {}, user);
  show();
  expect(await screen.findByText(text)).toBeVisible();
});

it.each([
  [{ until: null }, null, /Your payments are paused\. Nothing is charged until they resume\.$/],
  [{ until: at }, null, /paused until .*2027\. Nothing is charged until they resume\.$/],
  [
    { until: '2026-12-01T00:00:00Z' },
    { ...aud(81600), at },
    /paused until .*2026\. Next charge: \$816 AUD on .*2027/,
  ],
])('shows a pause of the charges %j', async (pause, next, text) => {
  serveBilling(aBilledSubscription({ pause }), { next });
  show();
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Change plan' })).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'End plan' })).toBeVisible();
});

it('names the contact when the provider cannot end plans', async () => {
  serveBilling(aBilledSubscription(), { end: null }, {}, ['end_at_period_end', 'saved_methods']);
  show();
  expect(await screen.findByText(/To end it, write to/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'End plan' })).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Manage card(s)' })).not.toBeInTheDocument();
});

it('loads again after a failure', async () => {
  serveBilling(aBilledSubscription());
  server.use(http.get('/vc-admin/org/billing', () => HttpResponse.error()));
  show();
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again later!');
  serveBilling(aBilledSubscription());
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: 'Professional' })).toBeVisible();
});
