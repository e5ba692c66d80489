import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { BilledSubscription, Billing } from '@/api';
import { dateText } from '@/testing/date-text';
import {
  aBilledSubscription,
  aLicense,
  anOpenPayment,
  anOrder,
  aProcessingPayment,
  capabilitiesWithout,
  fullProvider,
  overduePayment,
  owedPayment,
  periodEnd,
} from '@/testing/fixtures';
import { serveConfig, serveSubscriptionCall, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import EndScreen from './EndScreen';

/** Serves the user and the billing data; without changes the subscription is an active Professional plan. */
function serveBilling(
  subscriptionChanges: Partial<BilledSubscription> | null,
  end: Billing['end'],
  user: Parameters<typeof serveUser>[0] = { license: aLicense() },
  credit: Billing['credit'] = null,
) {
  serveConfig({ provider: { ...fullProvider, capabilities: capabilitiesWithout('quotes') } });
  serveUser(user);
  const billing: Billing = {
    subscription: subscriptionChanges && aBilledSubscription(subscriptionChanges),
    next: null,
    credit,
    card: null,
    end,
  };
  server.use(http.get('/vc-admin/org/billing', () => HttpResponse.json(billing)));
}

const openEndScreen = () => renderScreen(EndScreen, '/vc-admin/diy/end');
const findEndButton = () => screen.findByRole('button', { name: 'End Professional' });

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

it('ends the plan with a reason and a comment, and then resumes the plan', async () => {
  serveBilling({}, { kind: 'period_end', at: periodEnd });
  const requests = serveSubscriptionCall('cancel', { id: 'sub_1', status: 'active' }, 200, () =>
    serveBilling({ endsAt: periodEnd }, null),
  );
  openEndScreen();
  expect(
    await screen.findByText(
      `You keep Professional until ${dateText(periodEnd)}. Nothing is charged after that.`,
    ),
  ).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'I no longer need it' }));
  await userEvent.type(screen.getByLabelText(/^Comment/), 'We close.');
  await userEvent.click(await findEndButton());

  const title = await screen.findByText(`Professional ends on ${dateText(periodEnd)}`, {
    selector: 'h1',
  });
  await waitFor(() => expect(title).toHaveFocus());
  expect(requests).toEqual([{ reason: 'not_needed', comment: 'We close.' }]);

  serveSubscriptionCall('resume', { id: 'sub_1', status: 'active' }, 200, () =>
    serveBilling({}, { kind: 'period_end', at: periodEnd }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Resume Professional' }));
  expect(await screen.findByText('You keep Professional.')).toBeVisible();
});

it('says before and after the plan is ended that the credit is kept', async () => {
  const credit = { amount: 2205, currency: 'AUD' };
  const text = 'Your credit of $22.05 AUD is kept and used when you subscribe again.';
  serveBilling({}, { kind: 'period_end', at: periodEnd }, undefined, credit);
  serveSubscriptionCall('cancel', { id: 'sub_1', status: 'active' }, 200, () =>
    serveBilling({ endsAt: periodEnd }, null, undefined, credit),
  );
  openEndScreen();
  expect(await screen.findByText(text)).toBeVisible();
  await userEvent.click(await findEndButton());
  await screen.findByText(`Professional ends on ${dateText(periodEnd)}`, { selector: 'h1' });
  expect(screen.getByText(text)).toBeVisible();
});

it.each([
  ['now_owed', 'overdue', 'past_due', null, 'Professional ends at once.'],
  [
    'period_end',
    'renewal',
    'active',
    periodEnd,
    `You keep Professional until ${dateText(periodEnd)}. Nothing is charged after that.`,
  ],
] as const)(
  'says what happens to a bank debit on its way when the plan ends with %s',
  async (kind, paymentKind, status, at, effect) => {
    serveBilling(
      { status },
      { kind, at },
      {
        license: aLicense(),
        processing: aProcessingPayment({ kind: paymentKind }),
      },
    );
    openEndScreen();
    const text = await screen.findByText(/Your payment is on its way and is not stopped/);
    expect(text.textContent?.replaceAll('\u00a0', ' ')).toBe(
      `${effect} Your payment is on its way and is not stopped: $816 AUD from bank account •••• 6819, ` +
        `expected by ${dateText('2026-11-28T12:00:00Z')}. ` +
        'Your invoice is paid when it has arrived. If it fails, the invoice stays owed.',
    );
    expect(screen.queryByText(/open amount/)).not.toBeInTheDocument();
  },
);

it('sends no reason when none is selected, and returns to the dashboard when Keep is pressed', async () => {
  serveBilling({}, { kind: 'period_end', at: periodEnd });
  const requests = serveSubscriptionCall('cancel', { id: 'sub_1', status: 'active' });
  const location = openEndScreen();
  await userEvent.click(await findEndButton());
  expect(requests).toEqual([{}]);

  await userEvent.click(await screen.findByRole('button', { name: 'Keep Professional' }));
  expect(location.path).toBe('/vc-admin/dash');
});

it.each([
  [
    'at the end of the period',
    { kind: 'period_end', at: periodEnd } as const,
    ['You can resume Professional until it ends.'],
  ],
  ['immediately', { kind: 'now_void', at: null } as const, []],
])('lists what the customer keeps when the plan ends %s', async (_, end, resumeText) => {
  serveBilling({}, end);
  openEndScreen();
  const keptSection = within(await screen.findByRole('region', { name: 'What you keep' }));
  expect(keptSection.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    ...resumeText,
    'Your invoices and billing details stay here.',
  ]);
});

it.each([
  [
    'a trial',
    { status: 'trialing', trialEnd: periodEnd } as const,
    { kind: 'period_end', at: periodEnd } as const,
    `You keep your Professional trial until ${dateText(periodEnd)}. Nothing is charged.`,
  ],
  [
    'an overdue plan whose invoice is cancelled',
    { status: 'past_due' } as const,
    { kind: 'now_void', at: null } as const,
    'Professional ends at once. Your overdue invoice of $39 AUD is cancelled: you owe nothing. This is possible once in 12 months.',
  ],
  [
    'an overdue plan whose invoice stays owed',
    { status: 'past_due' } as const,
    { kind: 'now_owed', at: null } as const,
    'Professional ends at once. Your overdue invoice of $39 AUD stays owed. You can pay it at any time, and must pay it before you subscribe again.',
  ],
  [
    'a plan with a scheduled change',
    { scheduled: { priceId: 'standard_yearly', amount: 42000, at: periodEnd } },
    { kind: 'period_end', at: periodEnd } as const,
    `You keep Professional until ${dateText(periodEnd)}. Nothing is charged after that. Your change to Standard is dropped.`,
  ],
])('describes the effects of ending %s', async (_, changes, end, text) => {
  serveBilling(changes, end, { license: aLicense(), openPayment: overduePayment });
  openEndScreen();
  expect(await screen.findByText(text)).toBeVisible();
});

it('says that the plan has ended and offers to subscribe again when an overdue plan is ended', async () => {
  serveBilling({ status: 'past_due' }, { kind: 'now_void', at: null });
  serveSubscriptionCall('cancel', { id: 'sub_1', status: 'canceled' }, 200, () =>
    serveBilling(null, null, { pastLicense: aLicense() }),
  );
  openEndScreen();
  await userEvent.click(await findEndButton());
  expect(await screen.findByRole('heading', { name: /plan has ended/ })).toHaveFocus();
  expect(screen.getByRole('link', { name: 'Subscribe again' })).toBeVisible();
});

it('links to the pay screen instead of a new subscription while the last invoice is owed', async () => {
  serveBilling(null, null, { pastLicense: aLicense(), openPayment: owedPayment });
  openEndScreen();
  expect(await screen.findByText(/Your last invoice of \$39 AUD is not paid/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Pay $39 AUD' })).toHaveAttribute(
    'href',
    '/vc-admin/diy/pay?debug=true',
  );
  expect(screen.queryByRole('link', { name: 'Subscribe again' })).not.toBeInTheDocument();
});

it('does not offer to subscribe again while a first payment is open', async () => {
  const openPayment = anOpenPayment({ kind: 'first_payment' });
  serveBilling(null, null, { pastLicense: aLicense(), openPayment });
  openEndScreen();
  expect(await screen.findByRole('heading', { name: 'There is nothing to end' })).toBeVisible();
  expect(screen.queryByText(/Subscribe again/)).not.toBeInTheDocument();
});

it('does not offer to subscribe again while the first payment is processing', async () => {
  serveBilling(null, null, { pastLicense: aLicense(), processing: aProcessingPayment() });
  openEndScreen();
  expect(await screen.findByRole('heading', { name: 'There is nothing to end' })).toBeVisible();
  expect(screen.getByText('Your payment is on its way')).toBeVisible();
  expect(screen.queryByText(/Subscribe again|has ended/)).not.toBeInTheDocument();
});

it('does not offer to subscribe again while the payment of the last invoice is processing', async () => {
  const processing = aProcessingPayment({ kind: 'owed' });
  serveBilling(null, null, { pastLicense: aLicense(), processing });
  openEndScreen();
  expect(await screen.findByRole('heading', { name: /plan has ended/ })).toBeVisible();
  expect(screen.getByText('Your payment is on its way')).toBeVisible();
  expect(screen.queryByText(/Subscribe again/)).not.toBeInTheDocument();
});

it.each([
  ['an order that waits for approval', { order: anOrder() }, /is being checked/],
  ['no plan', {}, 'There is nothing to end'],
  ['a plan that has ended', { pastLicense: aLicense() }, /plan has ended/],
])('shows the account navigation with %s', async (_, user, heading) => {
  serveBilling(null, null, user);
  openEndScreen();
  expect(await screen.findByRole('heading', { name: heading })).toBeVisible();
  expect(screen.getByRole('navigation', { name: 'Account' })).toBeVisible();
});

it("shows the server's message when the plan can't be resumed", async () => {
  serveBilling({ endsAt: periodEnd }, null);
  serveSubscriptionCall(
    'resume',
    { name: 'ERRCONFLICT', message: 'It has ended. Subscribe again.' },
    409,
  );
  openEndScreen();
  await userEvent.click(await screen.findByRole('button', { name: 'Resume Professional' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('It has ended. Subscribe again.');
});
