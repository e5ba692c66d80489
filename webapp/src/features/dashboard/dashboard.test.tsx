import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { License } from '@/api';
import { serveConfig, serveUser } from '@/testing/answers';
import { aCustomer, aLicense } from '@/testing/fixtures';
import { server } from '@/testing/server';
import { showAt } from '@/testing/show-at';
import { DashboardScreen } from './DashboardScreen';

// Noon UTC, so that it is the same day nearly everywhere.
const trialEnd = Date.UTC(2026, 10, 27, 12) / 1000;
const periodEnd = Date.UTC(2027, 10, 27, 12) / 1000;
const day = (seconds: number) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(seconds * 1000);

const licensed = (status: License['raw']['status'], raw: Partial<License['raw']> = {}) => {
  const license = aLicense({ interval: 'yearly' });
  return {
    ...license,
    raw: {
      ...license.raw,
      status,
      current_period_end: periodEnd,
      metadata: { name: 'professional', interval: 'yearly' as const },
      ...raw,
    },
  };
};

async function open(
  user: Parameters<typeof serveUser>[0],
  about: Parameters<typeof serveUser>[1] = {},
  { query = '', live = false } = {},
) {
  serveConfig({ live });
  serveUser(user, about);
  const place = showAt(DashboardScreen, `/vc-admin/dash${query}`);
  await screen.findByRole('navigation', { name: 'Your account' });
  return place;
}

/** The text beside a label. */
const fact = (label: string) => screen.getByText(label).nextElementSibling?.textContent;

describe('the dashboard', () => {
  it('shows that it is loading', async () => {
    serveConfig();
    serveUser();
    showAt(DashboardScreen, '/vc-admin/dash');
    expect(screen.getByText('Loading...')).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    expect(await screen.findByRole('heading', { level: 1, name: 'Byron Clinic' })).toBeVisible();
  });

  it('names organisation and user, and leads to plans and cards with debug', async () => {
    await open({ license: licensed('active') }, {}, { query: '?debug=true' });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Byron Clinic');
    expect(screen.getByText('Signed in as Ada Byron, ada@clinic.example')).toBeVisible();
    const ways = within(screen.getByRole('navigation', { name: 'Your account' }));
    expect(ways.getByRole('link', { name: /^Plans/ })).toHaveAttribute(
      'href',
      '/vc-admin/diy/plans?debug=true',
    );
    expect(ways.getByRole('link', { name: /^Cards/ })).toHaveAttribute(
      'href',
      '/vc-admin/diy/cards?debug=true',
    );
  });

  it.each([
    ['', false, '?debug=true'],
    ['', true, ''],
    ['?debug=true', true, '?debug=true'],
  ])('with "%s", live %j, leads to the plans with "%s"', async (query, live, carried) => {
    await open({}, {}, { query, live });
    for (const name of [/^Plans/, 'Choose a plan']) {
      expect(screen.getByRole('link', { name })).toHaveAttribute(
        'href',
        `/vc-admin/diy/plans${carried}`,
      );
    }
  });

  it('leads to no cards where there is no customer', async () => {
    await open({}, { org: { stripeCustomerId: undefined } });
    expect(screen.getByRole('link', { name: /^Plans/ })).toBeVisible();
    expect(screen.queryByRole('link', { name: /^Cards/ })).not.toBeInTheDocument();
  });

  it('says when something about the organisation could not be had', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    serveConfig();
    serveUser({ license: licensed('active') });
    const failure = { name: 'ERRPROVIDER', message: 'The payment provider does not answer.' };
    server.use(
      http.post('/vc-admin/org/customer', () => HttpResponse.json(failure, { status: 502 })),
    );
    showAt(DashboardScreen, '/vc-admin/dash');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Please try again later!');
    expect(alert).toHaveTextContent('The payment provider does not answer.');
    expect(screen.getByRole('heading', { name: 'Professional' })).toBeVisible();

    serveUser({ license: licensed('active') });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  });
});

describe('a license', () => {
  it('on trial tells when it ends, and what is paid then', async () => {
    await open({ license: licensed('trialing', { trial_end: trialEnd }) });
    expect(screen.getByRole('heading', { name: 'Professional' })).toBeVisible();
    expect(screen.getByText('in-trial')).toBeVisible();
    expect(fact('Billed')).toBe('yearly, in AUD');
    expect(fact('Trial ends')).toBe(day(trialEnd));
    expect(fact('Next payment')).toBe(`$816 AUD on ${day(trialEnd)}`);
  });

  it('that is active tells the next payment', async () => {
    await open({ license: licensed('active', { trial_end: trialEnd }) });
    expect(screen.getByText('active')).toBeVisible();
    expect(screen.queryByText('Trial ends')).not.toBeInTheDocument();
    expect(fact('Next payment')).toBe(`$816 AUD on ${day(periodEnd)}`);
  });

  it('that is overdue never looks paid, and leads to the cards', async () => {
    await open({ license: licensed('past_due') });
    expect(screen.getByText('past due')).toBeVisible();
    expect(screen.getByText('Your last payment did not go through')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Add another card' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/cards',
    );
    expect(screen.queryByText('Next payment')).not.toBeInTheDocument();
  });

  it('of a developer costs nothing', async () => {
    await open({ license: { ...licensed('active'), isDev: true } });
    expect(screen.getByText('developer licence')).toBeVisible();
    expect(screen.getByText(/Nothing is charged for it/)).toBeVisible();
    expect(screen.queryByText('Next payment')).not.toBeInTheDocument();
  });

  it('for a plan that is no longer sold is shown by what is known', async () => {
    const metadata = { name: 'classic', interval: 'yearly' as const };
    await open({ license: licensed('active', { metadata, current_period_end: null }) });
    expect(screen.getByRole('heading', { name: 'classic' })).toBeVisible();
    expect(screen.queryByText('Next payment')).not.toBeInTheDocument();
  });
});

describe('a license that has ended', () => {
  it('tells what it was, and leads back to the plans', async () => {
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

describe('an organisation without a license', () => {
  const metadata = { product: 'professional', interval: 'yearly', currency: 'AUD' } as const;
  const payment =
    '/vc-admin/diy/payment?customer=cus_1&product=professional&currency=AUD&interval=yearly';

  it('is led on to pay for what it has chosen', async () => {
    await open({}, { org: { metadata } });
    expect(screen.getByText('One step left: your Professional plan')).toBeVisible();
    expect(screen.getByText('$816 AUD')).toBeVisible();
    expect(screen.getByText(/Nothing is charged before they end/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go on to payment' })).toHaveAttribute(
      'href',
      `${payment}&debug=true`,
    );
  });

  it('needs no debug where the area is live', async () => {
    await open({}, { org: { metadata } }, { live: true });
    expect(screen.getByRole('link', { name: 'Go on to payment' })).toHaveAttribute('href', payment);
  });

  it('has its customer made first, where there is none', async () => {
    const place = await open({}, { org: { metadata, stripeCustomerId: undefined } });
    server.use(
      http.post('/vc-admin/user-diy/new-customer', () => {
        serveUser({}, { org: { metadata } });
        return HttpResponse.json(aCustomer());
      }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Go on to payment' }));
    await waitFor(() => expect(place.path).toBe(`${payment}&debug=true`));
  });

  it('is told when its customer could not be made, and can try again', async () => {
    await open({}, { org: { metadata, stripeCustomerId: undefined } });
    const failure = { name: 'ERRPROVIDER', message: 'The payment provider does not answer.' };
    server.use(
      http.post('/vc-admin/user-diy/new-customer', () =>
        HttpResponse.json(failure, { status: 503 }),
      ),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Go on to payment' }));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Please try again later!');
    expect(alert).toHaveTextContent('The payment provider does not answer.');
    expect(screen.getByRole('button', { name: 'Go on to payment' })).toBeEnabled();
  });

  it.each([
    ['nothing', {}],
    ['a plan that is not sold here', { ...metadata, product: 'enterprise' }],
  ])('that has chosen %s is sent to the plans', async (_name, chosen) => {
    await open({}, { org: { metadata: chosen } }, { query: '?debug=true' });
    expect(screen.getByRole('heading', { name: 'You have no plan yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Choose a plan' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/plans?debug=true',
    );
  });
});
