import { screen } from '@testing-library/react';
import { dateText } from '@/modules/billing/plan-text';
import {
  anOpenPayment,
  aProcessingPayment,
  authentication,
  owed,
  plainProvider,
} from '@/testing/fixtures';
import { licenseWith, open } from './testing';

// Noon UTC is the same day in nearly all time zones.
const trialEnd = Date.UTC(2026, 10, 27, 12) / 1000;
const periodEnd = Date.UTC(2027, 10, 27, 12) / 1000;
const day = (seconds: number) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(seconds * 1000);

/** Returns the text beside a label. */
const fact = (label: string) => screen.getByText(label).nextElementSibling?.textContent;

describe('a license', () => {
  it('on trial shows its end, the own price and the first payment', async () => {
    const price = { amount: 76000, perMonth: 6333, annual: 76000 };
    await open({ license: { ...licenseWith('trialing', { trial_end: trialEnd }), price } });
    expect(screen.getByRole('heading', { name: 'Professional' })).toBeVisible();
    expect(screen.getByText('in-trial')).toBeVisible();
    expect(fact('Billed')).toBe('$760 AUD, yearly');
    expect(fact('Trial ends')).toBe(day(trialEnd));
    expect(fact('Next payment')).toBe(day(trialEnd));
  });

  it('that is active shows the next payment', async () => {
    await open({
      license: licenseWith('active', { trial_end: trialEnd, current_period_end: periodEnd }),
    });
    expect(screen.getByText('active')).toBeVisible();
    expect(screen.queryByText('Trial ends')).not.toBeInTheDocument();
    expect(fact('Billed')).toBe('yearly, in AUD');
    expect(fact('Next payment')).toBe(day(periodEnd));
  });

  it.each([
    [null, 'paused'],
    ['2027-06-15T12:00:00Z', `paused until ${day(Date.UTC(2027, 5, 15) / 1000)}`],
  ])('whose payments are paused until %s shows no next payment', async (until, text) => {
    await open({ license: { ...licenseWith('active'), next_charge_at: null, pause: { until } } });
    expect(fact('Payments')).toBe(text);
    expect(screen.queryByText('Next payment')).not.toBeInTheDocument();
  });

  it('that is past due shows what happens without a payment and leaves paying to the banner', async () => {
    const license = { ...licenseWith('past_due'), plan_ends_at: '2026-12-06T00:00:00Z' };
    await open({ license, openPayment: anOpenPayment() });
    expect(screen.getByText('payment overdue')).toBeVisible();
    expect(fact('Next automatic attempt')).toBe(dateText('2026-11-24T00:00:00Z'));
    expect(fact('Plan ends without payment')).toBe(dateText('2026-12-06T00:00:00Z'));
    expect(screen.queryByRole('link', { name: /Pay|Change your payment method/ })).toBeNull();
    expect(screen.queryByText('Next payment')).not.toBeInTheDocument();
  });

  it('that is past due announces no attempt when none is planned', async () => {
    const openPayment = anOpenPayment({ nextAttemptAt: null });
    await open({ license: licenseWith('past_due'), openPayment });
    expect(screen.queryByText(/try again|Next automatic attempt/)).not.toBeInTheDocument();
  });

  it('that is past due with nothing to pay leads to the payment methods', async () => {
    await open({ license: licenseWith('past_due') });
    expect(screen.getByText('Your last payment did not go through')).toBeVisible();
    const link = screen.getByRole('link', { name: 'Change your payment method' });
    expect(link).toHaveAttribute('href', '/vc-admin/diy/cards?debug=true');
  });

  it('that ends by request is ending', async () => {
    const license = { ...licenseWith('active'), ends_at: new Date(periodEnd * 1000).toISOString() };
    await open({ license });
    expect(screen.getByText('ending')).toBeVisible();
    expect(fact('Plan ends')).toBe(day(periodEnd));
    expect(screen.queryByText('active')).not.toBeInTheDocument();
  });

  it('that is past due does not ask for a payment that is on its way', async () => {
    const processing = aProcessingPayment({ kind: 'overdue' });
    await open({ license: licenseWith('past_due'), processing });
    expect(screen.getByText('Your payment is on its way')).toBeVisible();
    expect(screen.getByText('payment on its way')).toBeVisible();
    expect(screen.queryByText(/did not go through|overdue/)).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: /Pay|Change your payment method/ })).toBeNull();
  });

  it('on trial whose card is not approved shows the condition of the first payment', async () => {
    const license = licenseWith('trialing', { trial_end: trialEnd });
    await open({ license, openPayment: authentication });
    expect(fact('Next payment')).toBe(`${day(trialEnd)}, if your bank approves your card`);
  });

  it('whose payment the bank wants approved is not described as failed', async () => {
    await open({
      license: licenseWith('past_due'),
      openPayment: anOpenPayment({ approval: true }),
    });
    expect(screen.getByText('to be approved')).toBeVisible();
    expect(screen.queryByText(/did not go through|attempt|overdue/)).not.toBeInTheDocument();
  });

  it.each([
    [null, undefined],
    [new Date(periodEnd * 1000).toISOString(), day(periodEnd)],
  ])('that is invoiced shows when the invoice is due, and the next one at %s', async (at, next) => {
    const invoiced = { amount: 81600, currency: 'AUD', at: '2026-12-04T12:00:00Z' };
    const license = { ...licenseWith('trialing', { trial_end: trialEnd }), invoiced };
    const provider = { ...plainProvider, entry: 'invoice' as const };
    await open({ license: { ...license, next_charge_at: at } }, {}, { provider });
    expect(fact('Invoice due')).toBe(`$816 AUD on ${dateText(invoiced.at)}`);
    expect(screen.queryByText(/^Next (invoice|payment)$/)?.nextElementSibling?.textContent).toBe(
      next,
    );
  });

  it('that is past due with an invoice leads to its instructions', async () => {
    const provider = { ...plainProvider, entry: 'invoice' as const };
    await open({ license: licenseWith('past_due') }, {}, { provider });
    expect(screen.getByText('Your invoice is overdue')).toBeVisible();
    const link = screen.getByRole('link', { name: 'See how to pay it' });
    expect(link).toHaveAttribute('href', '/vc-admin/diy/pay?debug=true');
  });

  it('with a scheduled change shows the next plan', async () => {
    const scheduled_change = {
      ...{ priceId: 'standard_monthly', product: 'standard', interval: 'monthly' as const },
      ...{ currency: 'AUD', at: new Date(periodEnd * 1000).toISOString() },
    };
    await open({ license: { ...licenseWith('active'), scheduled_change } });
    expect(fact('Next plan')).toBe(`Standard, monthly, from ${day(periodEnd)}`);
    expect(screen.queryByText('Next payment')).not.toBeInTheDocument();
  });

  it('of a developer shows no payment', async () => {
    await open({ license: { ...licenseWith('active'), isDev: true } });
    expect(screen.getByText('developer licence')).toBeVisible();
    expect(screen.getByText(/Nothing is charged for it/)).toBeVisible();
    expect(screen.queryByText('Next payment')).not.toBeInTheDocument();
  });

  it('for a plan that is no longer sold shows the known facts', async () => {
    const metadata = { name: 'classic', interval: 'yearly' as const };
    await open({ license: licenseWith('active', { metadata, current_period_end: null }) });
    expect(screen.getByRole('heading', { name: 'classic' })).toBeVisible();
    expect(screen.queryByText('Next payment')).not.toBeInTheDocument();
  });
});

it.each([null, licenseWith('canceled')])(
  'an open first payment leads to the pay screen instead of a new subscription: %#',
  async (pastLicense) => {
    const openPayment = anOpenPayment({ kind: 'first_payment' });
    const metadata = { product: 'professional', interval: 'yearly', currency: 'AUD' } as const;
    await open({ pastLicense, openPayment }, { org: { metadata } });
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
  it('links to the payment of its bill while that is owed', async () => {
    await open({ pastLicense: licenseWith('canceled'), openPayment: owed });
    expect(screen.getByText(/^Your last bill of \$39 AUD is not paid/)).toBeVisible();
    expect(screen.queryByText(/Nothing is charged any more/)).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Pay $39 AUD' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/pay?debug=true',
    );
    expect(screen.queryByRole('link', { name: 'Subscribe again' })).not.toBeInTheDocument();
  });

  it('offers no other subscription while a payment is disputed', async () => {
    await open({ pastLicense: licenseWith('canceled'), hold: 'disputed' });
    expect(screen.getByText(/Nothing is charged any more\./)).toBeVisible();
    expect(screen.queryByText(/[Ss]ubscribe again/)).not.toBeInTheDocument();
  });

  it('shows its plan, with a link to the plans', async () => {
    await open({ pastLicense: licenseWith('canceled') });
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
    await open({ pastLicense: { ...licenseWith('canceled'), ended_at, end_cause: 'unpaid' } });
    expect(
      screen.getByText(`It ended on ${dateText(ended_at)}, because its last bill was not paid.`),
    ).toBeVisible();
  });

  it('that never started does not say that it was billed or has used the trial', async () => {
    const pastLicense = {
      ...licenseWith('incomplete_expired'),
      end_cause: 'never_started' as const,
    };
    await open({ pastLicense });
    expect(screen.getByText('Your Professional plan has not started')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Choose a plan' })).toBeVisible();
    expect(screen.queryByText(/was billed|trial was used/)).not.toBeInTheDocument();
  });
});
