import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  aBilledSubscription,
  aLicense,
  anOpenPayment,
  overduePayment,
  plainProvider,
} from '@/testing/fixtures';
import { errorResponse, serveConfig, servePost, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import DashboardScreen from './DashboardScreen';
import {
  aLicenseWithStatus,
  openDashboard,
  openDashboardWithoutBilling,
  serveBilling,
} from './testing';

/** The provider of a server without the capability `billing`. */
const provider = { ...plainProvider, capabilities: ['saved_methods' as const] };

describe('the dashboard', () => {
  it("shows 'Loading...' until the user is loaded", async () => {
    serveConfig();
    serveUser();
    renderScreen(DashboardScreen, '/vc-admin/dash');
    expect(screen.getByText('Loading...')).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeInTheDocument();
    expect(await screen.findByText('Signed in as Ada Byron, ada@clinic.example')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  });

  it('shows the user, and links to plans and cards on a server without billing', async () => {
    await openDashboardWithoutBilling(
      { license: aLicenseWithStatus('active') },
      {},
      { query: '?debug=true', provider },
    );
    expect(screen.getByText('Signed in as Ada Byron, ada@clinic.example')).toBeVisible();
    const links = within(screen.getByRole('navigation', { name: 'Your account' }));
    expect(links.getByRole('link', { name: /^Plans/ })).toHaveAttribute(
      'href',
      '/vc-admin/diy/plans?debug=true',
    );
    expect(links.getByRole('link', { name: /^Payment methods/ })).toHaveAttribute(
      'href',
      '/vc-admin/diy/cards?debug=true',
    );
  });

  it.each([
    ['', false, '?debug=true'],
    ['', true, ''],
    ['?debug=true', true, '?debug=true'],
  ])(
    'with the query "%s" and live %j adds the query "%s" to every link',
    async (query, live, linkQuery) => {
      const user = { openPayment: anOpenPayment({ kind: 'first_payment' }) };
      await openDashboardWithoutBilling(user, {}, { query, live, provider });
      const hrefs = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
      expect(hrefs).toEqual(
        ['pay', 'plans', 'cards'].map((screen) => `/vc-admin/diy/${screen}${linkQuery}`),
      );
    },
  );

  it.each([
    ['a plan that can be changed', { license: aLicense() }, 'Compare plans, or change yours'],
    ['no plan', {}, 'Compare plans'],
    ['a plan that has ended', { pastLicense: aLicense() }, 'Compare plans'],
    ['a plan on hold', { license: aLicense(), hold: 'disputed' as const }, 'Compare plans'],
    ['an overdue invoice', { license: aLicense(), openPayment: overduePayment }, 'Compare plans'],
    [
      'a plan that ends',
      { license: aLicense({ ends_at: '2027-11-21T00:00:00Z' }) },
      'Compare plans',
    ],
  ])('describes the link to the plans for %s', async (_, user, text) => {
    await openDashboardWithoutBilling(user);
    expect(screen.getByRole('link', { name: `Plans ${text}` })).toBeVisible();
  });

  it('links only to the plans when the account navigation has the other screens', async () => {
    await openDashboardWithoutBilling({ license: aLicenseWithStatus('active') });
    const account = within(screen.getByRole('navigation', { name: 'Account' }));
    const names = account.getAllByRole('link').map((link) => link.textContent);
    expect(names).toEqual([
      'Dashboard',
      'Invoices',
      'Payment methods',
      'Billing details',
      'Members',
      'Your account',
    ]);
    const links = within(screen.getByRole('navigation', { name: 'Your account' }));
    expect(links.getAllByRole('link')).toHaveLength(1);
    expect(links.getByRole('link', { name: /^Plans/ })).toBeVisible();
  });

  it('keeps the debug parameter in the link to choose a plan', async () => {
    await openDashboardWithoutBilling({});
    expect(screen.getByRole('link', { name: 'Choose a plan' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/plans?debug=true',
    );
  });

  it('shows no link to the cards when the organisation has no customer', async () => {
    await openDashboardWithoutBilling({}, { org: { stripeCustomerId: undefined } }, { provider });
    expect(screen.getByRole('link', { name: /^Plans/ })).toBeVisible();
    expect(screen.queryByRole('link', { name: /^Payment methods/ })).not.toBeInTheDocument();
  });

  it('shows the plan and a notice with a Try again button when the customer can’t be loaded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    serveBilling(aBilledSubscription(), {}, { license: aLicense() });
    servePost('/vc-admin/org/customer', () =>
      errorResponse('ERRPROVIDER', 'The payment provider does not answer.', 502),
    );
    openDashboard();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Please try again later!');
    expect(alert).toHaveTextContent('The payment provider does not answer.');
    expect(await screen.findByRole('heading', { name: 'Professional' })).toBeVisible();

    serveUser({ license: aLicense() });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  });
});
