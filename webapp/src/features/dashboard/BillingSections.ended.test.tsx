import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { dateText } from '@/testing/date-text';
import {
  aBilledSubscription,
  aLicense,
  anOpenPayment,
  owedPayment,
  periodEnd,
} from '@/testing/fixtures';
import { serveSubscriptionCall } from '@/testing/handlers';
import { aQuote, aud } from '@/testing/invoice-fixtures';
import { findRegion, openDashboard, serveBilling } from './testing';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

it.each([
  ['ends at the end of its period', aBilledSubscription({ endsAt: periodEnd }), 'Professional'],
  ['has ended', null, 'Your Standard plan has ended'],
])('says that the credit is kept when the plan %s', async (_, subscription, title) => {
  const user = subscription ? {} : { pastLicense: aLicense() };
  serveBilling(subscription, { credit: aud(2205), next: null }, user, ['quotes']);
  openDashboard();
  const section = await findRegion(title);
  expect(
    section.getByText('Your credit of $22.05 AUD is kept and used when you subscribe again.'),
  ).toBeVisible();
  expect(screen.queryByText(/is used for your next charges/)).not.toBeInTheDocument();
});

it.each([
  [
    'requested',
    periodEnd,
    `It was ended on ${dateText(periodEnd)}, as your organisation requested.`,
  ],
  [
    'unpaid',
    periodEnd,
    `It ended on ${dateText(periodEnd)}, because its last invoice was not paid.`,
  ],
  ['unpaid', undefined, 'It ended, because its last invoice was not paid.'],
  [undefined, periodEnd, `It ended on ${dateText(periodEnd)}.`],
] as const)(
  'describes the end of a plan with the cause %s and the date %s',
  async (end_cause, ended_at, text) => {
    serveBilling(null, {}, { pastLicense: { ...aLicense(), ended_at, end_cause } }, ['quotes']);
    openDashboard();
    expect((await findRegion('Your Standard plan has ended')).getByText(text)).toBeVisible();
  },
);

it('says that the plan has not started and offers to choose a plan when the first payment was not made', async () => {
  serveBilling(null, {}, { pastLicense: { ...aLicense(), end_cause: 'never_started' } });
  openDashboard();
  const section = await findRegion('Your Standard plan has not started');
  expect(section.getByText('Its first payment was not made in time.')).toBeVisible();
  expect(section.getByRole('link', { name: 'Choose a plan' })).toBeVisible();
  expect(section.queryByText(/Subscribe again/)).not.toBeInTheDocument();
});

it('shows a member whom to ask for a plan when the first payment was not made', async () => {
  const pastLicense = { ...aLicense(), end_cause: 'never_started' as const };
  serveBilling(null, {}, { pastLicense, role: 'member', owners: ['Ada Lee'] });
  openDashboard();
  const section = await findRegion('Your Standard plan has not started');
  expect(section.getByText('Ask Ada Lee (owner) to choose a plan.')).toBeVisible();
});

it('offers to subscribe again, with the amount, when it is too late to resume', async () => {
  const pastLicense = {
    ...aLicense(),
    raw: { ...aLicense().raw, metadata: { name: 'professional', interval: 'yearly' as const } },
  };
  serveBilling(aBilledSubscription({ endsAt: periodEnd }), { next: null, end: null });
  serveSubscriptionCall('resume', { name: 'ERRCONFLICT', message: 'It has ended.' }, 409, () =>
    serveBilling(null, {}, { pastLicense }),
  );
  serveSubscriptionCall('quote', aQuote({ dueNow: aud(81600) }));
  const location = openDashboard();
  await userEvent.click(await screen.findByRole('button', { name: 'Resume Professional' }));
  await userEvent.click(
    await screen.findByRole('button', { name: 'Subscribe again, $816 AUD today' }),
  );
  expect(location.path).toBe('/vc-admin/diy/confirm?debug=true');
  expect(location.state).toMatchObject({ mode: 'update', to: { product: 'professional' } });
});

it('does not offer to subscribe again while a payment is disputed', async () => {
  const quoteRequests = serveSubscriptionCall('quote', aQuote({ dueNow: aud(81600) }));
  serveBilling(null, {}, { pastLicense: aLicense(), hold: 'disputed' });
  openDashboard();
  const section = await findRegion('Your Standard plan has ended');
  expect(section.queryByRole('button')).not.toBeInTheDocument();
  expect(section.queryByText(/[Ss]ubscribe again/)).not.toBeInTheDocument();
  expect(quoteRequests).toEqual([]);
});

it.each([
  ['an owed invoice', owedPayment, null, 'Your Standard plan has ended'],
  [
    'the first payment of an incomplete subscription',
    anOpenPayment({ kind: 'first_payment' }),
    aBilledSubscription({ status: 'incomplete' }),
    'Your first payment has not been made yet',
  ],
  [
    'a first payment without a subscription',
    anOpenPayment({ kind: 'first_payment' }),
    null,
    'Your first payment has not been made yet',
  ],
])(
  'links to the pay screen instead of offering a new subscription for %s',
  async (_, openPayment, subscription, title) => {
    serveBilling(subscription, {}, { pastLicense: aLicense(), openPayment });
    openDashboard();
    const section = await findRegion(title);
    expect(section.getByRole('link', { name: 'Pay $39 AUD' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/pay?debug=true',
    );
    expect(
      screen.queryByText(/Subscribe again|Nothing is charged any more/),
    ).not.toBeInTheDocument();
  },
);
