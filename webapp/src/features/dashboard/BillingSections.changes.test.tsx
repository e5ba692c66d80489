import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { dateText } from '@/testing/date-text';
import { aBilledSubscription, periodEnd } from '@/testing/fixtures';
import { serveSubscriptionCall } from '@/testing/handlers';
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
