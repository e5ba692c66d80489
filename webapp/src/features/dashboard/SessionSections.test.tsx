import { screen } from '@testing-library/react';
import { dateText, withOrdinarySpaces } from '@/testing/date-text';
import { anOpenPayment, aProcessingPayment, owedPayment } from '@/testing/fixtures';
import { aLicenseWithStatus, openDashboardWithoutBilling } from './testing';

// At noon UTC, nearly all time zones have the same date.
const trialEnd = Date.UTC(2026, 10, 27, 12) / 1000;
const renewal = Date.UTC(2027, 10, 27, 12) / 1000;
/** Returns the date of a Unix time in the format of the dashboard. */
const dayText = (seconds: number) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(seconds * 1000);

/** Returns the text beside a label. */
const detailText = (label: string | RegExp) =>
  withOrdinarySpaces(screen.queryByText(label)?.nextElementSibling?.textContent ?? '');

describe('the current license', () => {
  it('on trial shows its price, the end of the trial and the next charge', async () => {
    const price = { amount: 76000, perMonth: 6333, annual: 76000 };
    await openDashboardWithoutBilling({
      license: { ...aLicenseWithStatus('trialing', { trial_end: trialEnd }), price },
    });
    expect(screen.getByRole('heading', { name: 'Professional' })).toBeVisible();
    expect(screen.getByText('in-trial')).toBeVisible();
    expect(detailText('Billed')).toBe('$760 AUD, yearly');
    expect(detailText('Trial ends')).toBe(dayText(trialEnd));
    expect(detailText('Next charge')).toBe(dayText(trialEnd));
  });

  it('with the status active shows the next charge but no trial', async () => {
    await openDashboardWithoutBilling({
      license: aLicenseWithStatus('active', { trial_end: trialEnd, current_period_end: renewal }),
    });
    expect(screen.getByText('active')).toBeVisible();
    expect(screen.queryByText('Trial ends')).not.toBeInTheDocument();
    expect(detailText('Billed')).toBe('yearly, in AUD');
    expect(detailText('Next charge')).toBe(dayText(renewal));
  });

  it('with the status past_due links to the payment methods', async () => {
    await openDashboardWithoutBilling({ license: aLicenseWithStatus('past_due') });
    expect(screen.getByText('Your last invoice is not paid')).toBeVisible();
    const link = screen.getByRole('link', { name: 'Change your payment method' });
    expect(link).toHaveAttribute('href', '/vc-admin/diy/cards?debug=true');
  });

  it('that will be canceled at the end of the period shows that date instead of the status active', async () => {
    const license = {
      ...aLicenseWithStatus('active'),
      ends_at: new Date(renewal * 1000).toISOString(),
    };
    await openDashboardWithoutBilling({ license });
    expect(screen.getByText('ending')).toBeVisible();
    expect(detailText('Plan ends')).toBe(dayText(renewal));
    expect(screen.queryByText('active')).not.toBeInTheDocument();
  });

  it('with an overdue payment that is processing does not ask to pay', async () => {
    const processing = aProcessingPayment({ kind: 'overdue' });
    await openDashboardWithoutBilling({ license: aLicenseWithStatus('past_due'), processing });
    expect(screen.getByText('Your payment is on its way')).toBeVisible();
    expect(screen.getByText('payment on its way')).toBeVisible();
    expect(screen.queryByText(/not paid|overdue/)).not.toBeInTheDocument();
    expect(
      screen.queryByRole('link', { name: /Pay(?!ment methods)|Change your payment method/ }),
    ).toBeNull();
  });

  it("with a payment that the bank wants approved shows 'to be approved' instead of 'overdue'", async () => {
    await openDashboardWithoutBilling({
      license: aLicenseWithStatus('past_due'),
      openPayment: anOpenPayment({ approval: true }),
    });
    expect(screen.getByText('to be approved')).toBeVisible();
    expect(screen.queryByText(/not paid|attempt|overdue/)).not.toBeInTheDocument();
  });

  it('with a scheduled change shows no next payment', async () => {
    const scheduled_change = {
      ...{ priceId: 'standard_monthly', product: 'standard', interval: 'monthly' as const },
      ...{ currency: 'AUD', at: new Date(renewal * 1000).toISOString() },
    };
    await openDashboardWithoutBilling({
      license: { ...aLicenseWithStatus('active'), scheduled_change },
    });
    expect(detailText('Billed')).toBe('yearly, in AUD');
    expect(screen.queryByText('Next charge')).not.toBeInTheDocument();
  });

  it('of a developer shows no payment', async () => {
    await openDashboardWithoutBilling({
      license: { ...aLicenseWithStatus('active'), isDev: true },
    });
    expect(screen.getByText('developer licence')).toBeVisible();
    expect(screen.getByText(/Nothing is charged for it/)).toBeVisible();
    expect(screen.queryByText('Next charge')).not.toBeInTheDocument();
  });

  it('of a plan that is no longer sold shows the id of the plan', async () => {
    const metadata = { name: 'classic', interval: 'yearly' as const };
    await openDashboardWithoutBilling({
      license: aLicenseWithStatus('active', { metadata, current_period_end: null }),
    });
    expect(screen.getByRole('heading', { name: 'classic' })).toBeVisible();
    expect(screen.queryByText('Next charge')).not.toBeInTheDocument();
  });
});

it.each([
  ['no license', null],
  ['a past license', aLicenseWithStatus('canceled')],
])(
  'links to the pay screen instead of a new subscription for an open first payment and %s',
  async (_, pastLicense) => {
    const openPayment = anOpenPayment({ kind: 'first_payment' });
    const metadata = { product: 'professional', interval: 'yearly', currency: 'AUD' } as const;
    await openDashboardWithoutBilling({ pastLicense, openPayment }, { org: { metadata } });
    expect(
      screen.getByRole('heading', { name: 'Your first payment has not been made yet' }),
    ).toBeVisible();
    expect(screen.getByRole('link', { name: 'Pay $39 AUD' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/pay?debug=true',
    );
    expect(
      screen.queryByRole('link', { name: /Subscribe again|Go on to payment/ }),
    ).not.toBeInTheDocument();
  },
);

describe('a license that has ended', () => {
  it('offers no new subscription while its last invoice is owed', async () => {
    await openDashboardWithoutBilling({
      pastLicense: aLicenseWithStatus('canceled'),
      openPayment: owedPayment,
    });
    expect(screen.getByText('It was billed yearly, in AUD.')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Subscribe again' })).not.toBeInTheDocument();
  });

  it('does not offer to subscribe again while a payment is disputed', async () => {
    await openDashboardWithoutBilling({
      pastLicense: aLicenseWithStatus('canceled'),
      hold: 'disputed',
    });
    expect(screen.getByText(/Nothing is charged any more\./)).toBeVisible();
    expect(screen.queryByText(/[Ss]ubscribe again/)).not.toBeInTheDocument();
  });

  it('shows its plan and offers to subscribe again', async () => {
    await openDashboardWithoutBilling({ pastLicense: aLicenseWithStatus('canceled') });
    expect(screen.getByRole('heading', { name: 'Your Professional plan has ended' })).toBeVisible();
    expect(screen.queryByText('canceled')).not.toBeInTheDocument();
    expect(screen.getByText(/It was billed yearly, in AUD/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Subscribe again' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/plans?debug=true',
    );
    expect(screen.queryByText(/One step left/)).not.toBeInTheDocument();
  });

  it('shows when and why it has ended', async () => {
    const ended_at = '2026-12-04T12:00:00Z';
    await openDashboardWithoutBilling({
      pastLicense: { ...aLicenseWithStatus('canceled'), ended_at, end_cause: 'unpaid' },
    });
    expect(
      screen.getByText(`It ended on ${dateText(ended_at)}, because its last invoice was not paid.`),
    ).toBeVisible();
  });

  it('offers to choose a plan, and mentions no billing and no trial, when it has never started', async () => {
    const pastLicense = {
      ...aLicenseWithStatus('incomplete_expired'),
      end_cause: 'never_started' as const,
    };
    await openDashboardWithoutBilling({ pastLicense });
    expect(screen.getByText('Your Professional plan has not started')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Choose a plan' })).toBeVisible();
    expect(screen.queryByText(/was billed|trial was used/)).not.toBeInTheDocument();
  });
});
