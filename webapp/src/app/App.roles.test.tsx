import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { UserDetail } from '@/api';
import { aCard } from '@/testing/card-provider';
import {
  aBilledSubscription,
  aLicense,
  anOrder,
  aUser,
  billingDetails,
  fullProvider,
  overduePayment,
  owedPayment,
  periodEnd,
} from '@/testing/fixtures';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { anInvoice, aud } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { renderApp } from './testing';

const member: Partial<UserDetail> = { role: 'member', owners: ['Ada Lee', 'Sam Roe'] };
const askOwner = (action: string) => `Ask Ada Lee (owner) to ${action}.`;

/** Serves a user of an organisation with a plan, a card, an invoice and billing details. */
function serveCustomer(user: Partial<UserDetail>, subscription = aBilledSubscription()): void {
  serveConfig({ provider: fullProvider, live: true });
  serveUser(user);
  const card = aCard('4242');
  const end = { kind: 'period_end', at: subscription.periodEnd };
  const billing = { subscription, next: { ...aud(81600), at: periodEnd }, credit: null, card, end };
  server.use(
    http.get('/vc-admin/org/billing', () => HttpResponse.json(billing)),
    http.get('/vc-admin/org/billing/details', () => HttpResponse.json(billingDetails)),
    http.get('/vc-admin/org/customer/cards', () => HttpResponse.json({ data: [card] })),
  );
  servePost('/vc-admin/org/invoices/list', () =>
    HttpResponse.json({ data: [anInvoice()], hasMore: false }),
  );
}

/**
 * Returns the names of the buttons and links of the screen, without those of invoices and the navigation of the account.
 */
const controlNames = (role: 'button' | 'link') =>
  within(screen.getByRole('main'))
    .queryAllByRole(role)
    .filter((control) => !control.closest('nav'))
    .map((control) => control.getAttribute('aria-label') ?? control.textContent)
    .filter((name) => !/invoice|PDF|Paid/i.test(name ?? ''));

const licensed = { license: aLicense() };

describe('a member who may not change the plan', () => {
  it('sees disabled buttons on the plans page, and whom to ask', async () => {
    serveCustomer({ ...member, ...licensed });
    renderApp('/vc-admin/diy/plans');

    expect(await screen.findByText(askOwner('change the plan'))).toBeVisible();
    const card = within(screen.getByRole('region', { name: 'Professional' }));
    const button = card.getByRole('button');
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription(/Ask Ada Lee \(owner\) to change the plan\./);
  });

  it.each([
    ['payment', '/payment?product=professional&currency=AUD&interval=yearly', {}],
    [
      'confirm',
      '/confirm',
      {
        user: aUser(),
        from: { product: 'standard', interval: 'yearly', currency: 'AUD' },
        to: { product: 'professional', interval: 'yearly', currency: 'AUD' },
        mode: 'update',
      },
    ],
  ])('is redirected from the %s screen to the plans', async (screenName, url, state) => {
    serveCustomer({ ...member, ...(screenName === 'confirm' && licensed) });
    const [pathname = '', search = ''] = url.split('?');
    const { location } = renderApp({ pathname: `/vc-admin/diy${pathname}`, search, state });

    await waitFor(() => expect(location.path).toBe('/vc-admin/diy/plans'));
  });

  it.each(['/vc-admin/diy/pay', '/vc-admin/diy/end'])(
    'is redirected from %s to the dashboard',
    async (path) => {
      serveCustomer({ ...member, ...licensed, openPayment: overduePayment });
      const { location } = renderApp(path);

      await waitFor(() => expect(location.path).toBe('/vc-admin/dash'));
    },
  );

  it('sees the cards without menus, and no form to add one', async () => {
    serveCustomer({ ...member, ...licensed });
    renderApp('/vc-admin/diy/cards');

    expect(await screen.findByText(askOwner('change the payment methods'))).toBeVisible();
    expect(await screen.findByRole('list', { name: /^Saved/ })).toBeVisible();
    expect(controlNames('button')).toEqual([]);
  });

  it('sees the billing details as text', async () => {
    serveCustomer({ ...member, ...licensed });
    renderApp('/vc-admin/diy/details');

    expect(await screen.findByText(askOwner('change the billing details'))).toBeVisible();
    expect(screen.getByText('1 High Street')).toBeVisible();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(controlNames('button')).toEqual([]);
  });

  it('sees equal lines of the billing details', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    serveCustomer({ ...member, ...licensed });
    const details = { ...billingDetails, legalName: billingDetails.address.line1 };
    server.use(http.get('/vc-admin/org/billing/details', () => HttpResponse.json(details)));
    renderApp('/vc-admin/diy/details');

    expect(await screen.findAllByText(details.legalName)).toHaveLength(2);
    expect(logged).not.toHaveBeenCalled();
  });

  it('sees the plan on the dashboard without its buttons', async () => {
    const scheduled = { priceId: 'standard_yearly', amount: null, at: '2027-11-21T00:00:00Z' };
    const subscription = aBilledSubscription({ scheduled });
    serveCustomer({ ...member, ...licensed }, subscription);
    renderApp('/vc-admin/dash');

    expect(await screen.findByText(askOwner('change the plan'))).toBeVisible();
    await screen.findByText('1 High Street', { exact: false });
    expect(controlNames('button')).toEqual([]);
    expect(controlNames('link')).toEqual([]);
  });

  it('sees the banner about an overdue payment without a link', async () => {
    serveCustomer({ ...member, ...licensed, openPayment: overduePayment });
    renderApp('/vc-admin/diy/invoices');

    const banner = await screen.findByRole('region', { name: 'Open payment' });
    expect(banner).toHaveTextContent('A payment of $39 AUD for Standard is overdue.');
    expect(within(banner).queryByRole('link')).not.toBeInTheDocument();
  });

  it.each([
    ['no plan', {}, 'choose a plan'],
    ['an order', { order: anOrder() }, ''],
    ['an ended plan', { pastLicense: aLicense() }, 'subscribe again'],
    [
      'a plan that never started',
      { pastLicense: { ...aLicense(), end_cause: 'never_started' as const } },
      'choose a plan',
    ],
    ['an owed invoice', { pastLicense: aLicense(), openPayment: owedPayment }, 'pay it'],
  ])('sees an organisation with %s without its buttons', async (_, user, action) => {
    serveCustomer({ ...member, ...user });
    server.use(
      http.get('/vc-admin/org/billing', () =>
        HttpResponse.json({ subscription: null, next: null, credit: null, card: null, end: null }),
      ),
    );
    renderApp('/vc-admin/dash');

    await screen.findByText('1 High Street', { exact: false });
    if (action) expect(screen.getByText(askOwner(action))).toBeVisible();
    expect(controlNames('button')).toEqual([]);
  });

  it('sees whom to ask when the server reports no owner', async () => {
    serveCustomer({ role: 'member', ...licensed });
    renderApp('/vc-admin/diy/plans');

    expect(
      await screen.findByText('Ask an owner of your organisation to change the plan.'),
    ).toBeVisible();
  });
});

it.each([{}, { role: 'owner' } as const, { role: 'billing' } as const])(
  'a user with the role %o may change the plan',
  async (role) => {
    serveCustomer({ ...role, ...licensed });
    renderApp('/vc-admin/dash');

    expect(await screen.findByRole('link', { name: 'Change plan' })).toBeVisible();
    expect(screen.queryByText(/^Ask /)).not.toBeInTheDocument();
  },
);
