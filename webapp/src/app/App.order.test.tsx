import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { BilledSubscription, Config, UserDetail } from '@/api';
import {
  aBilledSubscription,
  aLicense,
  anOrder,
  anOrganisation,
  aSubscription,
  aUser,
  billingDetails,
  capabilitiesWithout,
  fullProvider,
} from '@/testing/fixtures';
import { serveConfig, serveSubscriptionCall, serveUser } from '@/testing/handlers';
import { server } from '@/testing/server';
import { renderApp } from './testing';

const choice = { product: 'standard', interval: 'yearly', currency: 'AUD' } as const;
const query = new URLSearchParams({ ...choice, debug: 'true' });
const org = { metadata: choice };
const provider: Config['provider'] = {
  ...fullProvider,
  kind: 'invoice',
  entry: 'invoice',
  capabilities: capabilitiesWithout('saved_methods', 'quotes'),
};

/** Serves a signed-in user of an organisation that pays by invoice. */
function serveInvoiceCustomer(
  user: Partial<UserDetail>,
  subscription: BilledSubscription | null = null,
) {
  serveConfig({ provider });
  serveUser(user, { org });
  server.use(
    http.get('/vc-admin/org/billing', () =>
      HttpResponse.json({ subscription, next: null, credit: null, card: null, end: null }),
    ),
    http.get('/vc-admin/org/billing/details', () => HttpResponse.json(billingDetails)),
    http.post('/vc-admin/org/invoices/list', () => HttpResponse.json({ data: [], hasMore: false })),
  );
}

const userWithOrder = {
  order: { ...anOrder(), amount: { amount: 81600, currency: 'AUD' }, dueDays: 14 },
  next: {
    kind: 'wait' as const,
    instructions: [],
    invoice: '',
    until: null,
    reason: anOrder().reason,
  },
};

const confirmState = {
  user: { ...aUser(), org: anOrganisation() },
  to: choice,
  mode: 'update',
};

describe('an order that waits for approval', () => {
  it.each([
    ['the dashboard', '/vc-admin/dash', {}],
    ['the pay screen', '/vc-admin/diy/pay', {}],
    ['the payment of another plan', '/vc-admin/diy/payment', {}],
    ['the confirmation of another plan', '/vc-admin/diy/confirm', confirmState],
    ['the end screen', '/vc-admin/diy/end', {}],
  ])('is described on %s', async (_, pathname, state) => {
    serveInvoiceCustomer({ ...userWithOrder, pastLicense: aLicense() });
    renderApp({ pathname, search: `?${query}`, state });

    const order = within(
      await screen.findByRole('region', {
        name: 'Your order for Professional is being checked',
      }),
    );
    expect(order.getByText(userWithOrder.order.reason)).toBeVisible();
    expect(
      order.getByText('$816 AUD per year, invoice after approval, due 14 days later.'),
    ).toBeVisible();
    expect(order.getByText(/^The account and the reference for your transfer are/)).toBeVisible();
    expect(order.getByRole('button', { name: 'Withdraw the order' })).toBeVisible();
    expect(
      screen.queryByText(
        /not been made yet|One step left|could not be computed|Nothing to pay|nothing to end|has ended|Subscribe again/,
      ),
    ).not.toBeInTheDocument();
  });

  it('has no Withdraw button when the server lacks the billing capability', async () => {
    serveInvoiceCustomer(userWithOrder);
    serveConfig({ provider: { ...provider, capabilities: capabilitiesWithout('billing') } });
    renderApp('/vc-admin/dash');

    expect(await screen.findByText(userWithOrder.order.reason)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Withdraw the order' })).not.toBeInTheDocument();
  });

  it('can be withdrawn, and another plan can then be ordered', async () => {
    serveInvoiceCustomer(userWithOrder);
    const endedSubscription = aSubscription({ status: 'incomplete_expired' });
    const bodies = serveSubscriptionCall('cancel', endedSubscription, 200, () =>
      serveInvoiceCustomer({}),
    );
    const { user } = renderApp({ pathname: '/vc-admin/diy/payment', search: `?${query}` });
    await user.click(await screen.findByRole('button', { name: 'Withdraw the order' }));

    expect(await screen.findByRole('heading', { name: 'Pay by invoice' })).toBeVisible();
    expect(bodies).toEqual([{}]);
  });

  it('shows an unknown outcome when the provider does not answer a withdrawal', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    serveInvoiceCustomer(userWithOrder);
    const failure = { name: 'ERRPROVIDER', message: 'The payment provider does not answer.' };
    serveSubscriptionCall('cancel', failure, 503);
    const { user } = renderApp('/vc-admin/dash');
    await user.click(await screen.findByRole('button', { name: 'Withdraw the order' }));

    expect(await screen.findByRole('alert')).toHaveTextContent('We could not find out whether');
  });

  it('is replaced by a link to the payment instructions once approved', async () => {
    const instructions = [{ label: 'Reference', value: 'INV-000001' }];
    serveInvoiceCustomer(
      { license: aLicense(), next: { ...userWithOrder.next, instructions } },
      aBilledSubscription(),
    );
    renderApp('/vc-admin/dash');
    const link = await screen.findByRole('link', { name: 'See how to pay' });
    await waitFor(() =>
      expect(link).toHaveAttribute('href', expect.stringMatching('/vc-admin/diy/pay')),
    );
  });
});
