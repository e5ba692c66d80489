import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { routes } from '@/lib/paths';
import { serveConfig, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { renderApp } from './testing';

// The server in these tests declares no capabilities, and its responses have only the fields of the specification.

const license = {
  id: 'sub_1',
  interval: 'yearly',
  isDev: false,
  raw: { status: 'active', metadata: { name: 'standard', interval: 'yearly' } },
};

beforeEach(() => serveConfig({ provider: { kind: 'fake' } }));

function serveCustomer() {
  server.use(
    http.get('/vc-admin/user/detail', () =>
      HttpResponse.json({ detail: { orgId: 'org_1', license } }),
    ),
    http.get('/vc-admin/org/detail/org_1', () => HttpResponse.json({ stripeCustomerId: 'cus_1' })),
    http.post('/vc-admin/org/customer', () => HttpResponse.json({ id: 'cus_1' })),
  );
}

it.each([
  routes.pay,
  routes.billing,
  routes.end,
  routes.invoices,
  routes.details,
  routes.confirmRegistration,
  routes.forgot,
  routes.reset,
  routes.confirmBillingEmail,
  routes.confirmEmail,
  routes.undo,
  routes.emailPreferences,
])('%s redirects to the dashboard', async (path) => {
  serveCustomer();
  const { location } = renderApp(`${path}?debug=true`);
  await waitFor(() => expect(location.path).toBe('/vc-admin/dash?debug=true'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

it('the dashboard shows the plan and has no links to other screens', async () => {
  serveCustomer();
  renderApp('/vc-admin/dash');

  expect(await screen.findByText('You are signed in')).toBeVisible();
  const plan = within(await screen.findByRole('region', { name: 'Standard' }));
  expect(plan.getByText('yearly')).toBeVisible();
  const account = within(screen.getByRole('navigation', { name: 'Your account' }));
  expect(account.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/vc-admin/diy/plans?debug=true',
    '/vc-admin/diy/cards?debug=true',
  ]);
});

it('the account menu links to the cards, but not to billing or invoices', async () => {
  serveCustomer();
  const { user } = renderApp('/vc-admin/diy/plans');
  await user.click(await screen.findByRole('button', { name: 'Your account' }));

  expect(screen.getByRole('link', { name: 'Payment methods' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Billing' })).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Invoices' })).not.toBeInTheDocument();
});

it('the sign-in form has no link to reset the password', async () => {
  serveVisitor();
  renderApp('/vc-admin/dash');

  expect(await screen.findByRole('button', { name: 'Sign In' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Forgotten password?' })).not.toBeInTheDocument();
});

it('the screen after a registration has no button to send the email again', async () => {
  serveVisitor();
  renderApp({ pathname: routes.registered, state: { email: 'mara@harbour.example' } });

  expect(await screen.findByRole('heading', { name: 'Registration Success!' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Send the email again' })).not.toBeInTheDocument();
});

it('the card field reports that payments are not set up without a publishable key', async () => {
  serveConfig({ provider: { kind: 'stripe' } });
  serveCustomer();
  server.use(http.get('/vc-admin/org/customer/cards', () => HttpResponse.json([])));
  const { user } = renderApp('/vc-admin/diy/cards');
  await user.click(await screen.findByRole('button', { name: 'Add card' }));

  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent(
    'Payments are not set upYou can’t pay here yet. Please write to sales@vision.example.',
  );
});
