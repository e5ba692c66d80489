import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Billing } from '@/api';
import { dateText } from '@/modules/billing/plan-text';
import {
  aLicense,
  anOpenPayment,
  anOrder,
  aProcessingPayment,
  capabilitiesWithout,
  fullProvider,
  overdue,
  owed,
} from '@/testing/fixtures';
import { serveConfig, serveSubscriptionCall, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import EndScreen from './EndScreen';

const at = '2027-11-21T00:00:00Z';

const subscription: NonNullable<Billing['subscription']> = {
  status: 'active',
  priceId: 'professional_yearly',
  interval: 'yearly',
  currency: 'AUD',
  amount: 81600,
  periodStart: null,
  periodEnd: at,
  trialEnd: null,
  endsAt: null,
  planEndsAt: null,
  hold: null,
  pending: null,
  scheduled: null,
};

function serveBilling(
  changes: Partial<typeof subscription> | null,
  end: Billing['end'],
  user: Parameters<typeof serveUser>[0] = { license: aLicense() },
  credit: Billing['credit'] = null,
) {
  serveConfig({ provider: { ...fullProvider, capabilities: capabilitiesWithout('quotes') } });
  serveUser(user);
  const billing: Billing = {
    subscription: changes && { ...subscription, ...changes },
    next: null,
    credit,
    card: null,
    end,
  };
  server.use(http.get('/vc-admin/org/billing', () => HttpResponse.json(billing)));
}

const show = () => renderScreen(EndScreen, '/vc-admin/diy/end');
const endButton = () => screen.findByRole('button', { name: 'End Professional' });

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

it('ends the plan with a reason and a comment, and resumes it', async () => {
  serveBilling({}, { kind: 'period_end', at });
  const ended = serveSubscriptionCall('cancel', { id: 'sub_1', status: 'active' }, 200, () =>
    serveBilling({ endsAt: at }, null),
  );
  show();
  expect(
    await screen.findByText(
      `You keep Professional until ${dateText(at)}. Nothing is charged after that.`,
    ),
  ).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'I no longer need it' }));
  await userEvent.type(screen.getByLabelText(/^Comment/), 'We close.');
  await userEvent.click(await endButton());

  const title = await screen.findByRole('heading', {
    name: `Professional ends on ${dateText(at)}`,
  });
  expect(title).toHaveFocus();
  expect(ended).toEqual([{ reason: 'not_needed', comment: 'We close.' }]);

  serveSubscriptionCall('resume', { id: 'sub_1', status: 'active' }, 200, () =>
    serveBilling({}, { kind: 'period_end', at }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Resume Professional' }));
  expect(await screen.findByText('You keep Professional.')).toBeVisible();
});

it('shows the credit that is kept, before and after ending', async () => {
  const credit = { amount: 2205, currency: 'AUD' };
  const text = 'Your credit of $22.05 AUD is kept and used when you subscribe again.';
  serveBilling({}, { kind: 'period_end', at }, undefined, credit);
  serveSubscriptionCall('cancel', { id: 'sub_1', status: 'active' }, 200, () =>
    serveBilling({ endsAt: at }, null, undefined, credit),
  );
  show();
  expect(await screen.findByText(text)).toBeVisible();
  await userEvent.click(await endButton());
  await screen.findByRole('heading', { name: `Professional ends on ${dateText(at)}` });
  expect(screen.getByText(text)).toBeVisible();
});

it('requires no reason and has two buttons of equal weight', async () => {
  serveBilling({}, { kind: 'period_end', at });
  const ended = serveSubscriptionCall('cancel', { id: 'sub_1', status: 'active' });
  const location = show();
  const keep = await screen.findByRole('button', { name: 'Keep Professional' });
  expect(keep.className).toBe((await endButton()).className);
  await userEvent.click(await endButton());
  expect(ended).toEqual([{}]);

  await userEvent.click(await screen.findByRole('button', { name: 'Keep Professional' }));
  expect(location.path).toBe('/vc-admin/diy/billing');
});

it.each([
  [
    { status: 'trialing', trialEnd: at } as const,
    { kind: 'period_end', at } as const,
    `You keep your Professional trial until ${dateText(at)}. Nothing is charged.`,
  ],
  [
    { status: 'past_due' } as const,
    { kind: 'now_void', at: null } as const,
    'Professional ends at once. Your overdue bill of $39 AUD is cancelled: you owe nothing. This is possible once in 12 months.',
  ],
  [
    { status: 'past_due' } as const,
    { kind: 'now_owed', at: null } as const,
    'Professional ends at once. Your overdue bill of $39 AUD stays owed. You can pay it at any time, and must pay it before you subscribe again.',
  ],
  [
    { scheduled: { priceId: 'standard_yearly', amount: 42000, at } },
    { kind: 'period_end', at } as const,
    `You keep Professional until ${dateText(at)}. Nothing is charged after that. Your change to Standard is dropped.`,
  ],
])('describes the effect of ending: %#', async (changes, end, text) => {
  serveBilling(changes, end, { license: aLicense(), openPayment: overdue });
  show();
  expect(await screen.findByText(text)).toBeVisible();
});

it('shows that a plan has ended at once', async () => {
  serveBilling({ status: 'past_due' }, { kind: 'now_void', at: null });
  serveSubscriptionCall('cancel', { id: 'sub_1', status: 'canceled' }, 200, () =>
    serveBilling(null, null, { pastLicense: aLicense() }),
  );
  show();
  await userEvent.click(await endButton());
  expect(await screen.findByRole('heading', { name: /plan has ended/ })).toHaveFocus();
  expect(screen.getByRole('link', { name: 'Subscribe again' })).toBeVisible();
});

it('links to the payment of a bill that is still owed', async () => {
  serveBilling(null, null, { pastLicense: aLicense(), openPayment: owed });
  show();
  expect(await screen.findByText(/Your last bill of \$39 AUD is not paid/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Pay $39 AUD' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/pay?debug=true',
  );
  expect(screen.queryByRole('link', { name: 'Subscribe again' })).not.toBeInTheDocument();
});

it('offers nothing to subscribe to while a first payment is open', async () => {
  const openPayment = anOpenPayment({ kind: 'first_payment' });
  serveBilling(null, null, { pastLicense: aLicense(), openPayment });
  show();
  expect(await screen.findByRole('heading', { name: 'There is nothing to end' })).toBeVisible();
  expect(screen.queryByText(/Subscribe again/)).not.toBeInTheDocument();
});

it('offers nothing to subscribe to while the first payment is on its way', async () => {
  serveBilling(null, null, { pastLicense: aLicense(), processing: aProcessingPayment() });
  show();
  expect(await screen.findByRole('heading', { name: 'There is nothing to end' })).toBeVisible();
  expect(screen.getByText('Your payment is on its way')).toBeVisible();
  expect(screen.queryByText(/Subscribe again|has ended/)).not.toBeInTheDocument();
});

it('offers nothing to subscribe to while the last bill is on its way', async () => {
  const processing = aProcessingPayment({ kind: 'owed' });
  serveBilling(null, null, { pastLicense: aLicense(), processing });
  show();
  expect(await screen.findByRole('heading', { name: /plan has ended/ })).toBeVisible();
  expect(screen.getByText('Your payment is on its way')).toBeVisible();
  expect(screen.queryByText(/Subscribe again/)).not.toBeInTheDocument();
});

it.each([
  ['an order that waits', { order: anOrder() }, /is being checked/],
  ['no plan', {}, 'There is nothing to end'],
  ['a plan that has ended', { pastLicense: aLicense() }, /plan has ended/],
])('keeps the navigation of the account with %s', async (_, user, name) => {
  serveBilling(null, null, user);
  show();
  expect(await screen.findByRole('heading', { name })).toBeVisible();
  expect(screen.getByRole('navigation', { name: 'Account' })).toBeVisible();
});

it('shows why it was refused', async () => {
  serveBilling({ endsAt: at }, null);
  serveSubscriptionCall(
    'resume',
    { name: 'ERRCONFLICT', message: 'It has ended. Subscribe again.' },
    409,
  );
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Resume Professional' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('It has ended. Subscribe again.');
});
