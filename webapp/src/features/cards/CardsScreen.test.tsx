import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import type { Billing } from '@/api';
import { aCard } from '@/testing/card-provider';
import { dateText } from '@/testing/date-text';
import { aBilledSubscription, aLicense, authenticationPayment } from '@/testing/fixtures';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { aud } from '@/testing/invoice-fixtures';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import { sessionOver, signInAgain } from '@/testing/sign-in-again';
import CardsScreen from './CardsScreen';
import { aBankAccount, cardRows, findRow, serveCards, serveList } from './testing';

const path = '/vc-admin/diy/cards';
const openCardsScreen = (query = '', state?: object) =>
  renderScreen(CardsScreen, { pathname: path, search: query, state }, ['/vc-admin/diy/confirm']);

function serveBilling(changes: Partial<Billing>): void {
  const billing = { subscription: aBilledSubscription(), credit: null, card: null, end: null };
  server.use(
    http.get('/vc-admin/org/billing', () => HttpResponse.json({ ...billing, ...changes })),
  );
}

describe('the cards manager', () => {
  it("shows 'Loading...' while the session loads", () => {
    serveConfig();
    server.use(http.get('/vc-admin/user/detail', () => delay('infinite')));
    openCardsScreen();

    expect(screen.getByText('Loading...')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Payment methods');
  });

  it.each([
    ['', '/vc-admin/diy/plans'],
    ['?debug=1', '/vc-admin/diy/plans?debug=true'],
  ])('redirects a visitor with the query "%s" to %s', async (query, target) => {
    serveConfig();
    serveVisitor();
    const location = openCardsScreen(query);

    await waitFor(() => expect(location.path).toBe(target));
  });

  it('explains, instead of a form, that a payment method is saved when the customer pays', async () => {
    serveCards([]);
    serveConfig({ provider: { kind: 'acme', entry: 'redirect' } });
    openCardsScreen();

    expect(await screen.findByRole('heading', { name: 'Payment methods' })).toBeVisible();
    expect(
      await screen.findByText(/saved when you pay on our payment provider’s page/),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Add card' })).not.toBeInTheDocument();
  });

  it('redirects to the dashboard when the provider saves no cards', async () => {
    serveConfig({ provider: { kind: 'invoice', entry: 'invoice', capabilities: [] } });
    serveUser();
    const location = openCardsScreen();

    await waitFor(() => expect(location.path).toBe('/vc-admin/dash'));
  });

  it.each(sessionOver)(
    'asks the user to sign in again when listing the cards fails with %s, and then loads them',
    async (name, message, status) => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      serveCards([]);
      server.use(
        http.get('/vc-admin/org/customer/cards', () => {
          serveVisitor();
          return HttpResponse.json({ name, message }, { status });
        }),
      );
      openCardsScreen('?debug=true');
      expect(await screen.findByRole('heading', { name: 'Your session has ended' })).toBeVisible();

      await signInAgain(() => serveCards([aCard('4242')], 'pm_4242'));
      expect(await (await findRow('4242')).findByText('Default')).toBeVisible();
    },
  );

  it("shows 'No records found' when the response is an empty array", async () => {
    serveCards([]);
    server.use(http.get('/vc-admin/org/customer/cards', () => HttpResponse.json([])));
    openCardsScreen();

    expect(await screen.findByText('No records found')).toBeVisible();
  });

  it('shows that the cards are loading', async () => {
    serveConfig();
    serveUser();
    server.use(http.get('/vc-admin/org/customer/cards', () => delay('infinite')));
    openCardsScreen();

    expect(await screen.findByText('Loading your cards...')).toBeInTheDocument();
    expect(screen.queryByText('No records found')).not.toBeInTheDocument();
  });

  it('lists the brand, number and expiry of each saved card, with a badge on the default card', async () => {
    serveCards(
      [aCard('4242'), aCard('4444', { brand: 'mastercard', exp_month: 4, exp_year: 2031 })],
      'pm_4444',
    );
    openCardsScreen();

    const visa = await findRow('4242');
    expect(screen.getByRole('heading', { name: 'Saved Card(s)' })).toBeVisible();
    expect(cardRows()).toHaveLength(2);
    expect(visa.getByText('Visa ending in 4242')).toBeInTheDocument();
    expect(visa.getByText('Expires 12/2034')).toBeVisible();
    expect(visa.queryByText('Default')).not.toBeInTheDocument();

    const mastercard = await findRow('4444');
    expect(mastercard.getByText('Mastercard ending in 4444')).toBeInTheDocument();
    expect(mastercard.getByText('Expires 4/2031')).toBeVisible();
    expect(mastercard.getByText('Default')).toBeVisible();
  });

  it("lists 'Saved payment methods' when a bank account is saved", async () => {
    const account = aBankAccount('6819');
    serveCards([account, aCard('4242')], account.id);
    openCardsScreen();

    expect(await screen.findByRole('list', { name: 'Saved payment methods' })).toHaveTextContent(
      'Bank account •••• 6819',
    );
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Payment methods');
    expect(screen.getByText('Expires 12/2034')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Add card' })).toBeVisible();
  });

  it('says what the default card is used for, and which cards expire', async () => {
    serveCards(
      [
        aCard('4242', { exp_month: 12, exp_year: 2026 }),
        aCard('4444', { exp_month: 10, exp_year: 2026 }),
        aCard('1111'),
      ],
      'pm_4242',
    );
    const customer = { invoice_settings: { default_payment_method: 'pm_4242' } };
    const at = '2026-11-28T00:00:00Z';
    serveBilling({ next: { ...aud(39000), at } });
    const license = aLicense({ next_charge_at: at });
    serveUser({ license, now: Date.parse('2026-11-21T00:00:00Z') / 1000 }, { customer });
    openCardsScreen();

    expect((await screen.findByText(/Used for Standard/)).closest('p')).toHaveTextContent(
      /^Expires soon · Used for Standard, next charge on .*2026$/,
    );
    expect((await findRow('4444')).getByText('Expired')).toBeVisible();
    const unusedCard = await findRow('1111');
    expect(unusedCard.queryByText(/Used for|Expire(s soon|d)$/)).not.toBeInTheDocument();
  });

  it.each([
    [{ ...aud(29610), at: '2028-11-28T00:00:00Z' }, 'Used for Standard, next charge on '],
    [undefined, 'Used for Standard'],
  ])(
    'never shows the date of a renewal that credit pays (first charge: %o)',
    async (afterCredit, usage) => {
      serveCards([aCard('4242')], 'pm_4242');
      const next = { ...aud(0), at: '2027-11-28T00:00:00Z' };
      serveBilling({ next, afterCredit, credit: aud(48390) });
      const customer = { invoice_settings: { default_payment_method: 'pm_4242' } };
      serveUser({ license: aLicense({ next_charge_at: next.at }) }, { customer });
      openCardsScreen();

      const date = afterCredit ? dateText(afterCredit.at) : '';
      expect(await screen.findByText(`${usage}${date}`)).toBeVisible();
    },
  );

  it('announces no charge to the default card while its authentication is open', async () => {
    serveCards([aCard('4242')], 'pm_4242');
    const license = aLicense({ next_charge_at: '2026-11-28T00:00:00Z' });
    const customer = { invoice_settings: { default_payment_method: 'pm_4242' } };
    serveUser({ license, openPayment: authenticationPayment }, { customer });
    openCardsScreen();

    await findRow('4242');
    expect(screen.queryByText(/Used for/)).not.toBeInTheDocument();
  });

  it('shows a menu for every card except the default one', async () => {
    serveCards([aCard('4242'), aCard('4444')], 'pm_4444');
    openCardsScreen();

    const button = (await findRow('4242')).getByRole('button');
    expect(button).toHaveAccessibleName('More options for Visa ending in 4242');
    expect((await findRow('4444')).queryByRole('button')).not.toBeInTheDocument();
  });

  it("shows 'No records found' and a hint when no card is saved", async () => {
    serveCards([]);
    openCardsScreen();

    expect(await screen.findByText('No records found')).toBeVisible();
    expect(screen.getByText(/Open “Add card” to save/)).toBeVisible();
  });

  it("shows 'Please try again later!' when the cards can't be loaded, and loads them with Try again", async () => {
    const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
    serveConfig();
    serveUser();
    server.use(
      http.get('/vc-admin/org/customer/cards', () => HttpResponse.json({}, { status: 502 })),
    );
    openCardsScreen();

    expect(await screen.findByRole('alert')).toHaveTextContent('Please try again later!');
    expect(consoleError).toHaveBeenCalled();

    serveList([aCard('4242')]);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('•••• 4242')).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('loads the cards and the default card with Try again after an outage of the provider', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const respondBadGateway = () => HttpResponse.json({}, { status: 502 });
    serveConfig();
    serveUser();
    server.use(
      http.post('/vc-admin/org/customer', respondBadGateway),
      http.get('/vc-admin/org/customer/cards', respondBadGateway),
    );
    openCardsScreen();
    await screen.findByRole('alert');

    serveCards([aCard('4242')], 'pm_4242');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await (await findRow('4242')).findByText('Default')).toBeVisible();
  });

  it('shows no menus while the default card is unknown, and loads it with Try again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    serveCards([aCard('4242'), aCard('4444')], 'pm_4242');
    server.use(http.post('/vc-admin/org/customer', () => HttpResponse.json({}, { status: 502 })));
    openCardsScreen();
    await findRow('4242');
    expect(screen.getByRole('alert')).toHaveTextContent(
      'We could not find out which card is your default',
    );
    expect(screen.queryByRole('button', { name: /^More options/ })).not.toBeInTheDocument();

    serveCards([aCard('4242'), aCard('4444')], 'pm_4242');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await (await findRow('4242')).findByText('Default')).toBeVisible();
    expect((await findRow('4444')).getByRole('button', { name: /^More options/ })).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('Go back', () => {
  it('returns to the previous page when the navigation state has redirectTo', async () => {
    serveCards([]);
    const location = openCardsScreen('', { redirectTo: '/vc-admin/diy/plans' });

    await userEvent.click(await screen.findByRole('button', { name: '← Go back' }));

    expect(location.path).toBe('/vc-admin/diy/confirm');
  });

  it('is not shown when the navigation state has no redirectTo', async () => {
    serveCards([]);
    openCardsScreen('', { mode: 'update' });

    await screen.findByText('No records found');
    expect(screen.queryByRole('button', { name: /Go back/ })).not.toBeInTheDocument();
  });
});
