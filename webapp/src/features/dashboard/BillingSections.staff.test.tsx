import { screen } from '@testing-library/react';
import { dateText } from '@/testing/date-text';
import { aBilledSubscription, periodEnd } from '@/testing/fixtures';
import { aud } from '@/testing/invoice-fixtures';
import { findRegion, openDashboard, serveBilling } from './testing';

it('names a plan that was sold by sales, and asks to contact sales for a change', async () => {
  serveBilling(
    aBilledSubscription({
      priceId: 'Hospital 2027_',
      interval: '',
      amount: 1200000,
      managed: true,
    }),
    { next: { ...aud(1200000), at: periodEnd } },
  );
  openDashboard();
  const section = await findRegion('Hospital 2027');
  expect(section.getByText('$12,000 AUD per period')).toBeVisible();
  expect(section.getByText(/Your plan was agreed with our sales team/)).toHaveTextContent(
    'Please contact us',
  );
  expect(section.queryByRole('link', { name: 'Change plan' })).not.toBeInTheDocument();
  expect(section.getByRole('link', { name: 'End plan' })).toBeVisible();
  expect(screen.queryByText(/no plan yet/)).not.toBeInTheDocument();
});

it('announces an invoice by email with its due date, and no charge of the card', async () => {
  const dueAt = '2027-12-28T00:00:00Z';
  serveBilling(aBilledSubscription(), { next: { ...aud(81600), at: periodEnd, dueAt } });
  openDashboard();
  const section = await findRegion('Professional');
  expect(section.getByRole('heading', { name: 'Next invoice' }).parentElement).toHaveTextContent(
    `$816 AUDon ${dateText(periodEnd)} by email, due on ${dateText(dueAt)}`,
  );
  expect(section.queryByText(/Visa/)).not.toBeInTheDocument();
});

it('announces both the renewal and a later end', async () => {
  const endsAt = '2029-05-28T00:00:00Z';
  serveBilling(aBilledSubscription({ endsAt }), { end: null });
  openDashboard();
  const section = await findRegion('Professional');
  expect(section.getByRole('heading', { name: 'Next charge' }).parentElement).toHaveTextContent(
    `$816 AUDon ${dateText(periodEnd)}`,
  );
  expect(
    section.getByText(
      `It renews until then, and ends on ${dateText(endsAt)}. Nothing is charged after that.`,
    ),
  ).toBeVisible();
});
