import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { Billing } from '@/api';
import { dateText, withOrdinarySpaces } from '@/testing/date-text';
import { deferred } from '@/testing/deferred';
import {
  aBilledSubscription,
  aLicense,
  anOpenPayment,
  aProcessingPayment,
  authenticationPayment,
  capabilitiesWithout,
  fullProvider,
  owedPayment,
  periodEnd,
  plainProvider,
} from '@/testing/fixtures';
import { server } from '@/testing/server';
import { aLicenseWithStatus, openDashboard } from './testing';

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
    await openDashboard({
      license: { ...aLicenseWithStatus('trialing', { trial_end: trialEnd }), price },
    });
    expect(screen.getByRole('heading', { name: 'Professional' })).toBeVisible();
    expect(screen.getByText('in-trial')).toBeVisible();
    expect(detailText('Billed')).toBe('$760 AUD, yearly');
    expect(detailText('Trial ends')).toBe(dayText(trialEnd));
    expect(detailText('Next charge')).toBe(dayText(trialEnd));
  });

  it('with the status active shows the next charge but no trial', async () => {
    await openDashboard({
      license: aLicenseWithStatus('active', { trial_end: trialEnd, current_period_end: renewal }),
    });
    expect(screen.getByText('active')).toBeVisible();
    expect(screen.queryByText('Trial ends')).not.toBeInTheDocument();
    expect(detailText('Billed')).toBe('yearly, in AUD');
    expect(detailText('Next charge')).toBe(dayText(renewal));
  });

  it.each([
    ['the amount of the next charge', 74800, '$748 AUD'],
    ['that credit covers the next charge', 0, 'No charge'],
  ])('shows %s once billing is loaded', async (_, amount, amountText) => {
    const billing: Billing = {
      subscription: aBilledSubscription(),
      next: { amount, currency: 'AUD', at: periodEnd },
      credit: null,
      card: null,
      end: null,
    };
    const response = deferred();
    server.use(
      http.get('/vc-admin/org/billing', async () => {
        await response.promise;
        return HttpResponse.json(billing);
      }),
    );
    const license = aLicense({ next_charge_at: periodEnd });
    await openDashboard({ license }, {}, { provider: fullProvider });
    expect(detailText('Next charge')).toBe(dateText(periodEnd));

    response.resolve();
    const text = `${amountText} on ${dateText(periodEnd)}`;
    await waitFor(() => expect(detailText('Next charge')).toBe(text));
  });

  it('shows the first payment that the credit does not pay', async () => {
    const afterCredit = { amount: 73200, currency: 'AUD', at: '2029-11-21T00:00:00Z' };
    const next = { amount: 0, currency: 'AUD', at: periodEnd };
    const billing = { subscription: aBilledSubscription(), next, afterCredit };
    server.use(
      http.get('/vc-admin/org/billing', () =>
        HttpResponse.json({ ...billing, credit: null, card: null, end: null }),
      ),
    );
    const license = aLicense({ next_charge_at: periodEnd });
    await openDashboard({ license }, {}, { provider: fullProvider });
    const text = `$732 AUD on ${dateText(afterCredit.at)}`;
    await waitFor(() => expect(detailText('Next charge')).toBe(text));
  });

  it('shows only the date of the next charge when billing fails to load', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    server.use(http.get('/vc-admin/org/billing', () => HttpResponse.error()));
    const license = aLicense({ next_charge_at: periodEnd });
    await openDashboard({ license }, {}, { provider: fullProvider });
    await waitFor(() => expect(console.error).toHaveBeenCalled());
    expect(detailText('Next charge')).toBe(dateText(periodEnd));
  });

  it.each([
    [null, 'paused'],
    ['2027-06-15T12:00:00Z', `paused until ${dayText(Date.UTC(2027, 5, 15) / 1000)}`],
  ])('whose payments are paused (until %s) shows no next charge', async (until, text) => {
    await openDashboard({
      license: { ...aLicenseWithStatus('active'), next_charge_at: null, pause: { until } },
    });
    expect(detailText('Payments')).toBe(text);
    expect(screen.queryByText('Next charge')).not.toBeInTheDocument();
  });

  it('with an overdue payment shows the next attempt and the end of the plan, but no link to pay', async () => {
    const license = { ...aLicenseWithStatus('past_due'), plan_ends_at: '2026-12-06T00:00:00Z' };
    await openDashboard({ license, openPayment: anOpenPayment() });
    expect(screen.getByText('payment overdue')).toBeVisible();
    expect(detailText('Next automatic attempt')).toBe(dateText('2026-11-24T00:00:00Z'));
    expect(detailText('Plan ends without payment')).toBe(dateText('2026-12-06T00:00:00Z'));
    expect(
      screen.queryByRole('link', { name: /Pay(?!ment methods)|Change your payment method/ }),
    ).toBeNull();
    expect(screen.queryByText('Next charge')).not.toBeInTheDocument();
  });

  it('with an overdue payment announces no attempt when none is planned', async () => {
    const openPayment = anOpenPayment({ nextAttemptAt: null });
    await openDashboard({ license: aLicenseWithStatus('past_due'), openPayment });
    expect(screen.queryByText(/try again|Next automatic attempt/)).not.toBeInTheDocument();
  });

  it('with the status past_due but no invoice to pay says so and links to the contact page', async () => {
    const license = aLicenseWithStatus('past_due');
    await openDashboard({ license }, {}, { provider: fullProvider });
    expect(screen.getByText(/no invoice of it can be paid here at the moment/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Contact us' })).toBeVisible();
  });

  it('with the status past_due on a server without open payments links to the payment methods', async () => {
    const provider = { ...fullProvider, capabilities: capabilitiesWithout('open_payments') };
    await openDashboard({ license: aLicenseWithStatus('past_due') }, {}, { provider });
    expect(screen.getByText('Your last payment did not go through')).toBeVisible();
    const link = screen.getByRole('link', { name: 'Change your payment method' });
    expect(link).toHaveAttribute('href', '/vc-admin/diy/cards?debug=true');
  });

  it('that will be canceled at the end of the period shows that date instead of the status active', async () => {
    const license = {
      ...aLicenseWithStatus('active'),
      ends_at: new Date(renewal * 1000).toISOString(),
    };
    await openDashboard({ license });
    expect(screen.getByText('ending')).toBeVisible();
    expect(detailText('Plan ends')).toBe(dayText(renewal));
    expect(screen.queryByText('active')).not.toBeInTheDocument();
  });

  it('with an overdue payment that is processing does not ask to pay', async () => {
    const processing = aProcessingPayment({ kind: 'overdue' });
    await openDashboard({ license: aLicenseWithStatus('past_due'), processing });
    expect(screen.getByText('Your payment is on its way')).toBeVisible();
    expect(screen.getByText('payment on its way')).toBeVisible();
    expect(screen.queryByText(/did not go through|overdue/)).not.toBeInTheDocument();
    expect(
      screen.queryByRole('link', { name: /Pay(?!ment methods)|Change your payment method/ }),
    ).toBeNull();
  });

  it('on trial with an unapproved card says that the next charge needs an approval', async () => {
    const license = aLicenseWithStatus('trialing', { trial_end: trialEnd });
    await openDashboard({ license, openPayment: authenticationPayment });
    expect(detailText('Next charge')).toBe(`${dayText(trialEnd)}, if your bank approves your card`);
  });

  it("with a payment that the bank wants approved shows 'to be approved' instead of 'overdue'", async () => {
    await openDashboard({
      license: aLicenseWithStatus('past_due'),
      openPayment: anOpenPayment({ approval: true }),
    });
    expect(screen.getByText('to be approved')).toBeVisible();
    expect(screen.queryByText(/did not go through|attempt|overdue/)).not.toBeInTheDocument();
  });

  it.each([
    ['but no next invoice', null, ''],
    ['and the next invoice', new Date(renewal * 1000).toISOString(), dayText(renewal)],
  ])(
    'with an unpaid invoice shows its due date, %s',
    async (_, next_charge_at, nextInvoiceText) => {
      const invoiced = { amount: 81600, currency: 'AUD', at: '2026-12-04T12:00:00Z' };
      const license = { ...aLicenseWithStatus('trialing', { trial_end: trialEnd }), invoiced };
      const provider = { ...plainProvider, entry: 'invoice' as const };
      await openDashboard({ license: { ...license, next_charge_at } }, {}, { provider });
      expect(detailText('Invoice due')).toBe(`$816 AUD on ${dateText(invoiced.at)}`);
      expect(detailText(/^Next (invoice|payment)$/)).toBe(nextInvoiceText);
    },
  );

  it('with an overdue invoice links to the payment instructions', async () => {
    const provider = { ...plainProvider, entry: 'invoice' as const };
    await openDashboard({ license: aLicenseWithStatus('past_due') }, {}, { provider });
    expect(screen.getByText('Your invoice is overdue')).toBeVisible();
    const link = screen.getByRole('link', { name: 'See how to pay it' });
    expect(link).toHaveAttribute('href', '/vc-admin/diy/pay?debug=true');
  });

  it('with a scheduled change shows the next plan instead of the next charge', async () => {
    const scheduled_change = {
      ...{ priceId: 'standard_monthly', product: 'standard', interval: 'monthly' as const },
      ...{ currency: 'AUD', at: new Date(renewal * 1000).toISOString() },
    };
    await openDashboard({ license: { ...aLicenseWithStatus('active'), scheduled_change } });
    expect(detailText('Next plan')).toBe(`Standard, monthly, from ${dayText(renewal)}`);
    expect(screen.queryByText('Next charge')).not.toBeInTheDocument();
  });

  it('of a developer shows no payment', async () => {
    await openDashboard({ license: { ...aLicenseWithStatus('active'), isDev: true } });
    expect(screen.getByText('developer licence')).toBeVisible();
    expect(screen.getByText(/Nothing is charged for it/)).toBeVisible();
    expect(screen.queryByText('Next charge')).not.toBeInTheDocument();
  });

  it('of a plan that is no longer sold shows the id of the plan', async () => {
    const metadata = { name: 'classic', interval: 'yearly' as const };
    await openDashboard({
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
    await openDashboard({ pastLicense, openPayment }, { org: { metadata } });
    expect(
      screen.getByRole('heading', { name: 'Your first payment is not made yet' }),
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
  it('links to the pay screen while its last invoice is owed', async () => {
    await openDashboard({ pastLicense: aLicenseWithStatus('canceled'), openPayment: owedPayment });
    expect(screen.getByText(/^Your last invoice of \$39 AUD is not paid/)).toBeVisible();
    expect(screen.queryByText(/Nothing is charged any more/)).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Pay $39 AUD' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/pay?debug=true',
    );
    expect(screen.queryByRole('link', { name: 'Subscribe again' })).not.toBeInTheDocument();
  });

  it('does not offer to subscribe again while a payment is disputed', async () => {
    await openDashboard({ pastLicense: aLicenseWithStatus('canceled'), hold: 'disputed' });
    expect(screen.getByText(/Nothing is charged any more\./)).toBeVisible();
    expect(screen.queryByText(/[Ss]ubscribe again/)).not.toBeInTheDocument();
  });

  it('shows its plan and offers to subscribe again', async () => {
    await openDashboard({ pastLicense: aLicenseWithStatus('canceled') });
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
    await openDashboard({
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
    await openDashboard({ pastLicense });
    expect(screen.getByText('Your Professional plan has not started')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Choose a plan' })).toBeVisible();
    expect(screen.queryByText(/was billed|trial was used/)).not.toBeInTheDocument();
  });
});
