import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { aCard } from '@/testing/card-provider';
import { dateText } from '@/testing/date-text';
import {
  aBilledSubscription,
  aLicense,
  anOpenPayment,
  authenticationPayment,
  overduePayment,
  periodEnd,
} from '@/testing/fixtures';
import { errorResponse, servePost } from '@/testing/handlers';
import { aud } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { findRegion, openDashboard, serveBilling } from './testing';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

/** Returns the label and value of each amount in a section. */
const amountsOf = (section: { getAllByRole: typeof screen.getAllByRole }) =>
  section
    .getAllByRole('term')
    .map((term) => [term.textContent?.trim(), term.nextElementSibling?.textContent]);

it('shows the next charge with its date, card and lines, and links to end the plan and manage cards', async () => {
  const now = Date.parse('2027-01-07T00:00:00Z') / 1000;
  const next = { ...aud(74800), at: periodEnd };
  serveBilling(aBilledSubscription(), { credit: aud(6800), next }, { now });
  openDashboard();
  const section = await findRegion('Professional');
  expect(section.getByText('Yearly, $816 AUD per year')).toBeVisible();
  expect(section.getByText('47 of 365 days used')).toBeVisible();
  expect(section.getByText('318 left')).toBeVisible();
  expect(section.getByRole('heading', { name: 'Next charge' }).parentElement).toHaveTextContent(
    `$748 AUDon ${dateText(periodEnd)} from Visa •••• 4242`,
  );
  expect(section.getByText('We write to you 14 days before.')).toBeVisible();
  expect(amountsOf(section)).toEqual([
    ['Professional, yearly', '$816'],
    ['Your credit', '−$68'],
  ]);
  expect(section.queryByText(/is used for your next charges/)).not.toBeInTheDocument();
  expect(section.getByRole('link', { name: 'End plan' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/end',
  );
  expect(screen.getByRole('link', { name: 'Manage card(s)' })).toBeVisible();
  expect(
    await screen.findByText(`Your first invoice comes on ${dateText(periodEnd)}.`),
  ).toBeVisible();
});

it.each([
  ['Bank account •••• 6819', 'bank account •••• 6819'],
  ['Test Bank •••• 6819', 'Test Bank •••• 6819'],
])('shows that the next charge is taken from the account "%s"', async (label, name) => {
  const card = { ...aCard('6819'), kind: 'bank_debit', label } as const;
  serveBilling(aBilledSubscription(), { card });
  openDashboard();
  const section = await findRegion('Professional');
  expect(section.getByText(`on ${dateText(periodEnd)} from ${name}`)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Manage payment methods' })).toBeVisible();
});

it('shows the credit without lines when the next charge differs from the price minus the credit', async () => {
  serveBilling(aBilledSubscription(), {
    credit: aud(2205),
    next: { ...aud(70000), at: periodEnd },
  });
  openDashboard();
  const section = await findRegion('Professional');
  expect(
    section.getByText('Your credit of $22.05 AUD is used for your next charges.'),
  ).toBeVisible();
  expect(section.queryByRole('term')).not.toBeInTheDocument();
});

it('says until when the credit pays and what is charged then', async () => {
  // 90,000 − 81,600 = 8,400 pay part of the next year: 81,600 − 8,400 = 73,200.
  const afterCredit = { ...aud(73200), at: '2028-11-21T00:00:00Z' };
  serveBilling(aBilledSubscription(), {
    credit: aud(90000),
    next: { ...aud(0), at: periodEnd },
    afterCredit,
  });
  openDashboard();
  const section = await findRegion('Professional');
  expect(
    section.getByText(`Your credit pays until ${dateText(afterCredit.at)}, then $732 AUD.`),
  ).toBeVisible();
  expect(section.getByText('We write to you 14 days before.')).toBeVisible();
  expect(section.queryByText(/\$0/)).not.toBeInTheDocument();
});

it('says that the credit pays for the next period when nothing is charged', async () => {
  serveBilling(aBilledSubscription(), { credit: aud(90000), next: { ...aud(0), at: periodEnd } });
  openDashboard();
  const section = await findRegion('Professional');
  expect(
    section.getByText(
      `Nothing is charged on ${dateText(periodEnd)}: your credit pays for the next period.`,
    ),
  ).toBeVisible();
  expect(amountsOf(section)).toEqual([
    ['Professional, yearly', '$816'],
    ['Your credit', '−$816'],
  ]);
  expect(section.getByText('$84 AUD is left after that.')).toBeVisible();
  expect(section.queryByText(/Next charge|Visa|\$0/)).not.toBeInTheDocument();
});

it("shows 'to be approved' instead of 'overdue' when the bank wants the payment of a plan approved", async () => {
  const openPayment = anOpenPayment({ approval: true });
  serveBilling(aBilledSubscription({ status: 'past_due' }), {}, { openPayment });
  openDashboard();
  const section = await findRegion('Professional');
  expect(section.getByText('to be approved')).toBeVisible();
  expect(section.queryByText(/overdue/)).not.toBeInTheDocument();
});

it('links to the approval of the card instead of showing the next charge', async () => {
  serveBilling(
    aBilledSubscription({ status: 'trialing' }),
    {},
    { openPayment: authenticationPayment },
  );
  openDashboard();
  const section = await findRegion('Professional');
  expect(
    section.getByText(
      `$816 AUD is due on ${dateText(periodEnd)}, but your bank has not approved Visa •••• 4242 yet.`,
    ),
  ).toBeVisible();
  expect(section.getByRole('link', { name: 'Approve your card' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/pay',
  );
  expect(screen.queryByText(/Next charge/)).not.toBeInTheDocument();
});

it('shows how many days of the trial are left', async () => {
  const now = Date.parse('2026-11-23T12:00:00Z') / 1000;
  const trialEnd = '2026-11-28T00:00:00Z';
  serveBilling(aBilledSubscription({ status: 'trialing', trialEnd }), {}, { now });
  openDashboard();
  expect(await screen.findByText('Free trial: 5 days left')).toBeVisible();
  expect(screen.getByRole('progressbar', { name: 'Free trial' })).toHaveAttribute('value', '2');
});

it.each([
  [
    'an overdue plan',
    aBilledSubscription({ status: 'past_due', planEndsAt: periodEnd }),
    { openPayment: { ...overduePayment, reason: 'Your card has insufficient funds.' } },
    /^Your card has insufficient funds\. We try again on .* Without the payment your plan ends on/,
  ],
  [
    'a payment that the bank has returned',
    aBilledSubscription({ status: 'past_due', planEndsAt: periodEnd }),
    {
      openPayment: {
        ...overduePayment,
        returned: true,
        failedAt: '2026-12-15T12:00:00Z',
        nextAttemptAt: null,
      },
    },
    /^Your bank returned the payment on .*15.*2026\. Without the payment your plan ends on/,
  ],
  [
    'an overdue plan without a planned attempt',
    aBilledSubscription({ status: 'past_due', planEndsAt: periodEnd }),
    { openPayment: { ...overduePayment, nextAttemptAt: null } },
    /^Without the payment your plan ends on/,
  ],
  [
    'an overdue plan without an invoice that can be paid',
    aBilledSubscription({ status: 'past_due' }),
    {},
    /^Your plan is overdue, but no invoice of it can be paid here at the moment\./,
  ],
  [
    'a payment to approve',
    aBilledSubscription({ status: 'past_due', planEndsAt: periodEnd }),
    { openPayment: anOpenPayment({ approval: true }) },
    /Your bank wants you to approve the payment of \$39 AUD for Standard\. Without the payment your plan ends on/,
  ],
  [
    'a change that waits for its payment',
    aBilledSubscription({
      pending: {
        priceId: 'standard_yearly',
        amount: 42000,
        expiresAt: periodEnd,
        invoiceId: 'in_1',
      },
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
    'a hold since a date',
    aBilledSubscription({ hold: 'disputed' }),
    { disputedAt: '2026-11-21T00:00:00Z' },
    /^A payment of your organisation was disputed on November 21, 2026\. Please contact us:/,
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
])('shows an explanation for %s', async (_, subscription, user, text) => {
  serveBilling(subscription, {}, user);
  openDashboard();
  expect(await screen.findByText(text)).toBeVisible();
});

it('continues the plan that a new organisation chose at registration', async () => {
  const metadata = { product: 'professional', interval: 'yearly', currency: 'AUD' } as const;
  serveBilling(null, {}, {}, [], { org: { metadata } });
  openDashboard();
  const section = await findRegion('One step left: your Professional plan');
  expect(section.getByText('$816 AUD')).toBeVisible();
  expect(section.getByRole('link', { name: 'Go on to payment' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/payment?customer=cus_1&product=professional&currency=AUD&interval=yearly&debug=true',
  );
  expect(section.getByRole('link', { name: 'Choose another plan' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/plans?debug=true',
  );
});

it("shows the server's message when the customer of a new organisation can't be created", async () => {
  const metadata = { product: 'professional', interval: 'yearly', currency: 'AUD' } as const;
  serveBilling(null, {}, {}, [], { org: { metadata, stripeCustomerId: undefined } });
  servePost('/vc-admin/user-diy/new-customer', () =>
    errorResponse('ERRPROVIDER', 'The payment provider does not answer.', 503),
  );
  openDashboard();
  await userEvent.click(await screen.findByRole('button', { name: 'Go on to payment' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The payment provider does not answer.',
  );
  expect(screen.getByRole('button', { name: 'Go on to payment' })).toBeEnabled();
});

it('offers contact instead of payment while an overdue plan has no invoice that can be paid', async () => {
  serveBilling(aBilledSubscription({ status: 'past_due' }), {}, {});
  openDashboard();
  expect(await screen.findByRole('link', { name: 'Contact us' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Pay now' })).not.toBeInTheDocument();
});

it.each([
  [{ until: null }, null, /Your payments are paused\. Nothing is charged until they resume\.$/],
  [{ until: periodEnd }, null, /paused until .*2027\. Nothing is charged until they resume\.$/],
  [{ until: '2026-12-01T00:00:00Z' }, { ...aud(81600), at: periodEnd }, /paused until .*2026\.$/],
])(
  'describes the pause %j, and offers to end but not to change the plan',
  async (pause, next, text) => {
    serveBilling(aBilledSubscription({ pause }), { next });
    openDashboard();
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Change plan' })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'End plan' })).toBeVisible();
  },
);

it.each([
  [null, 'shows', 1],
  [aCard('4242'), 'does not show', 0],
])('with the default method %j %s why a payment method was refused', async (card, _, count) => {
  const methodRefusal = 'Your bank declined the payment.';
  serveBilling(aBilledSubscription({ status: 'trialing' }), { card }, { methodRefusal });
  openDashboard();
  const section = await findRegion('Payment method');
  expect(section.queryAllByText(methodRefusal)).toHaveLength(count);
});

it('names the contact and hides actions that the provider does not support', async () => {
  serveBilling(aBilledSubscription(), { end: null }, {}, ['at_period_end', 'saved_methods']);
  openDashboard();
  expect(await screen.findByText(/To end it, write to/)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'End plan' })).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Manage card(s)' })).not.toBeInTheDocument();
});

it('loads the plan again when Try again is pressed after a failure', async () => {
  serveBilling(aBilledSubscription());
  server.use(http.get('/vc-admin/org/billing', () => HttpResponse.error()));
  openDashboard();
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again later!');
  serveBilling(aBilledSubscription());
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('region', { name: 'Professional' })).toBeVisible();
});
