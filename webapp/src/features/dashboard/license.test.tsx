import { screen } from '@testing-library/react';
import { anOpenPayment } from '@/testing/fixtures';
import { licensed, open } from './testing';

// Noon UTC is the same day in nearly all time zones.
const trialEnd = Date.UTC(2026, 10, 27, 12) / 1000;
const periodEnd = Date.UTC(2027, 10, 27, 12) / 1000;
const day = (seconds: number) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(seconds * 1000);

/** Returns the text beside a label. */
const fact = (label: string) => screen.getByText(label).nextElementSibling?.textContent;

describe('a license', () => {
  it('on trial shows its end and the first payment', async () => {
    await open({ license: licensed('trialing', { trial_end: trialEnd }) });
    expect(screen.getByRole('heading', { name: 'Professional' })).toBeVisible();
    expect(screen.getByText('in-trial')).toBeVisible();
    expect(fact('Billed')).toBe('yearly, in AUD');
    expect(fact('Trial ends')).toBe(day(trialEnd));
    expect(fact('Next payment')).toBe(`$816 AUD on ${day(trialEnd)}`);
  });

  it('that is active shows the next payment', async () => {
    await open({
      license: licensed('active', { trial_end: trialEnd, current_period_end: periodEnd }),
    });
    expect(screen.getByText('active')).toBeVisible();
    expect(screen.queryByText('Trial ends')).not.toBeInTheDocument();
    expect(fact('Next payment')).toBe(`$816 AUD on ${day(periodEnd)}`);
  });

  it.each([
    ['Pay now', '/vc-admin/diy/pay', anOpenPayment()],
    ['Add another card', '/vc-admin/diy/cards', null],
  ])('that is past due shows the link "%s" to %s', async (name, href, openPayment) => {
    await open({ license: licensed('past_due'), openPayment });
    expect(screen.getByText('past due')).toBeVisible();
    expect(screen.getByText('Your last payment did not go through')).toBeVisible();
    expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
    expect(screen.queryByText('Next payment')).not.toBeInTheDocument();
  });

  it('of a developer shows no payment', async () => {
    await open({ license: { ...licensed('active'), isDev: true } });
    expect(screen.getByText('developer licence')).toBeVisible();
    expect(screen.getByText(/Nothing is charged for it/)).toBeVisible();
    expect(screen.queryByText('Next payment')).not.toBeInTheDocument();
  });

  it('for a plan that is no longer sold shows the known facts', async () => {
    const metadata = { name: 'classic', interval: 'yearly' as const };
    await open({ license: licensed('active', { metadata, current_period_end: null }) });
    expect(screen.getByRole('heading', { name: 'classic' })).toBeVisible();
    expect(screen.queryByText('Next payment')).not.toBeInTheDocument();
  });
});

describe('a license that has ended', () => {
  it('shows what it was, with a link to the plans', async () => {
    await open({ pastLicense: licensed('canceled') });
    expect(screen.getByRole('heading', { name: 'Your Professional plan has ended' })).toBeVisible();
    expect(screen.getByText('canceled')).toBeVisible();
    expect(screen.getByText(/It was billed yearly, in AUD/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Subscribe again' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/plans?debug=true',
    );
    expect(screen.queryByText(/One step left/)).not.toBeInTheDocument();
  });
});
