import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { dateText } from '@/testing/date-text';
import { aBilledSubscription, periodEnd } from '@/testing/fixtures';
import { serveSubscriptionCall } from '@/testing/handlers';
import { aud } from '@/testing/invoice-fixtures';
import { findRegion, openDashboard, serveBilling } from './testing';

it('cancels the scheduled change when the customer keeps the current plan', async () => {
  const scheduledChange = { priceId: 'standard_yearly', amount: 42000, at: periodEnd };
  serveBilling(aBilledSubscription({ scheduled: scheduledChange }));
  const bodies = serveSubscriptionCall(
    'scheduled/cancel',
    { id: 'sub_1', status: 'active' },
    200,
    () => serveBilling(aBilledSubscription()),
  );
  openDashboard();
  const section = await findRegion('Professional');
  expect(section.getByText(/^Standard from/)).toHaveTextContent(
    `Standard from ${dateText(periodEnd)}`,
  );
  await userEvent.click(section.getByRole('button', { name: 'Keep Professional' }));

  expect(await screen.findByText('You keep Professional.')).toBeVisible();
  expect(screen.queryByText(/^Standard from/)).not.toBeInTheDocument();
  expect(bodies).toEqual([{}]);
});

const laterPeriodEnd = '2028-11-21T00:00:00Z';

it.each([
  [
    'the current plan before its date',
    'standard_yearly',
    42050,
    laterPeriodEnd,
    'Professional, yearly',
    81600,
  ],
  ['the new plan from its date', 'standard_yearly', 42000, periodEnd, 'Standard, yearly', 42000],
  [
    'the new interval from its date',
    'professional_monthly',
    8500,
    periodEnd,
    'Professional, monthly',
    8500,
  ],
])('with a scheduled change a charge is for %s', async (_, priceId, amount, at, label, price) => {
  const next = { ...aud(price - 2000), at: periodEnd };
  const subscription = aBilledSubscription({ scheduled: { priceId, amount, at } });
  serveBilling(subscription, { next, credit: aud(2000) });
  openDashboard();
  const section = await findRegion('Professional');

  expect(section.getByText(label)).toBeVisible();
  // Without decimals, because the price of the charge has none.
  expect(section.getByText('−$20')).toBeVisible();
});

it('announces the email before the first charge of a scheduled yearly plan', async () => {
  const now = Date.parse('2027-10-27T00:00:00Z') / 1000;
  const subscription = aBilledSubscription({
    ...{ priceId: 'professional_monthly', interval: 'monthly', amount: 8500 },
    scheduled: { priceId: 'professional_yearly', amount: 81600, at: periodEnd },
  });
  serveBilling(subscription, { next: { ...aud(81600), at: periodEnd } }, { now });
  openDashboard();
  const section = await findRegion('Professional');

  expect(section.getByText('We write to you 14 days before.')).toBeVisible();
});

it('subtracts the price of the current plan from the credit before a scheduled change', async () => {
  const scheduled = { priceId: 'standard_yearly', amount: 42000, at: laterPeriodEnd };
  const next = { ...aud(0), at: periodEnd };
  serveBilling(aBilledSubscription({ scheduled }), { next, credit: aud(90000) });
  openDashboard();
  const section = await findRegion('Professional');

  expect(section.getByText('Professional, yearly')).toBeVisible();
  expect(section.getByText('$84 AUD is left after that.')).toBeVisible();
});

it('resumes an ending plan and then offers to end it', async () => {
  serveBilling(aBilledSubscription({ endsAt: periodEnd }), { next: null, end: null });
  serveSubscriptionCall('resume', { id: 'sub_1', status: 'active' }, 200, () =>
    serveBilling(aBilledSubscription()),
  );
  openDashboard();
  expect(await screen.findByText(/It ends on .* Nothing is charged after that\./)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Resume Professional' }));
  expect(await screen.findByText('You keep Professional.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'End plan' })).toBeVisible();
});
