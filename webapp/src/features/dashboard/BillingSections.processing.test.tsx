import { screen } from '@testing-library/react';
import { dateText } from '@/testing/date-text';
import { aBilledSubscription, aLicense, aProcessingPayment, periodEnd } from '@/testing/fixtures';
import { findRegion, openDashboard, serveBilling } from './testing';

const findTitle = () => screen.findByText('Your payment is on its way');
const paymentDetails = `$816 AUD from bank account •••• 6819, expected by ${dateText('2026-11-28T12:00:00Z')}.`;

it('shows the details of a first payment that is processing, without a link to pay', async () => {
  serveBilling(
    aBilledSubscription({ status: 'incomplete' }),
    { next: null, end: null },
    { processing: aProcessingPayment() },
  );
  openDashboard();
  expect(await findTitle()).toBeVisible();
  expect(screen.getByText(paymentDetails)).toBeVisible();
  expect(screen.getByText(/Your Professional plan starts when it has arrived/)).toBeVisible();
  expect(screen.queryByRole('link', { name: /Pay(?!ment methods)/ })).not.toBeInTheDocument();
  expect(screen.queryByText('Your first payment has not been made yet')).not.toBeInTheDocument();
});

it('shows an overdue payment that is processing as on its way, and offers only to end the plan', async () => {
  serveBilling(
    aBilledSubscription({ status: 'past_due' }),
    { next: null, end: { kind: 'now_owed', at: periodEnd } },
    { license: aLicense(), processing: aProcessingPayment({ kind: 'overdue' }) },
  );
  openDashboard();
  const section = await findRegion('Professional');
  expect(section.getByText('payment on its way')).toBeVisible();
  expect(section.getByText(/You keep Professional/)).toBeVisible();
  expect(section.queryByText(/overdue/)).not.toBeInTheDocument();
  expect(section.queryByRole('link', { name: 'Pay now' })).not.toBeInTheDocument();
  expect(section.queryByRole('link', { name: 'Change plan' })).not.toBeInTheDocument();
  expect(section.getByRole('link', { name: 'End plan' })).toBeVisible();
});

it('does not ask to pay for a plan change while its payment is processing', async () => {
  const pendingChange = {
    priceId: 'professional_yearly',
    amount: 81600,
    expiresAt: null,
    invoiceId: 'in_1',
  };
  serveBilling(
    aBilledSubscription({ priceId: 'standard_yearly', pending: pendingChange }),
    { end: null },
    { license: aLicense(), processing: aProcessingPayment({ kind: 'plan_change' }) },
  );
  openDashboard();
  expect(await findTitle()).toBeVisible();
  expect(screen.getByText(/Your plan changes to Professional when it has arrived/)).toBeVisible();
  expect(screen.queryByText('Pay or drop the change')).not.toBeInTheDocument();
});
