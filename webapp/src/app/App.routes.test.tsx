import { screen, waitFor } from '@testing-library/react';
import { delay, http } from 'msw';
import { routes } from '@/lib/paths';
import { aLicense, anOrganisation, aUser } from '@/testing/fixtures';
import { serveConfig, serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { renderApp } from './testing';

const choice = { product: 'professional', interval: 'yearly', currency: 'AUD' };
const query = new URLSearchParams({ ...choice, debug: 'true' });
const license = aLicense();
const user = { ...aUser({ license }), org: anOrganisation() };

/** Serves a user with a license. No other request gets a response. */
function serveCustomer() {
  server.use(http.all('/vc-admin/*', () => delay('infinite')));
  serveConfig();
  serveUser({ license });
}

/** Each screen with its title, its user and its navigation state. */
const screens: Record<keyof typeof routes, [title: string, serve: () => void, state?: object]> = {
  area: ['Plans for every practice', serveVisitor],
  plans: ['Plans for every practice', serveVisitor],
  regform: ['Create your account', serveVisitor],
  registered: ['Registration Success!', serveVisitor, { email: 'mara@harbour.example' }],
  payment: ['Payment', serveUser],
  confirm: ['Confirm your plan', serveCustomer, { user, to: choice, from: choice, mode: 'update' }],
  cards: ['Payment methods', serveCustomer],
  pay: ['Nothing to pay', serveCustomer],
  billing: ['Dashboard', serveCustomer],
  end: ['End your plan', serveCustomer],
  invoices: ['Invoices', serveCustomer],
  invoice: ['Invoice', serveCustomer],
  details: ['Billing details', serveCustomer],
  account: ['Your account', serveCustomer],
  members: ['Members', serveCustomer],
  contact: ['Contact sales', serveVisitor],
  dash: ['Sign in', serveVisitor],
  confirmRegistration: ['Confirm your registration', serveCustomer],
  forgot: ['Forgotten password', serveVisitor],
  reset: ['This link can not be used', serveVisitor],
  confirmBillingEmail: ['Confirm your email address', serveCustomer],
  confirmEmail: ['Confirm your new email', serveCustomer],
  undo: ['Undo the change', serveCustomer],
  emailPreferences: ['Emails you receive', serveVisitor],
  invitation: ['Your invitation', serveVisitor],
};

const routeCases = Object.entries(screens).map(
  ([name, [title, serve, state]]) => [name, title, serve, state] as const,
);

it.each(routeCases)('the route %s shows "%s"', async (name, title, serve, state) => {
  serveConfig();
  serve();
  renderApp({ pathname: routes[name as keyof typeof routes], search: `?${query}`, state });

  // A placeholder with the same heading may be replaced at any time.
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible());
});

it('the path of the former billing page redirects to the dashboard and keeps query, hash and state', async () => {
  serveConfig();
  serveCustomer();
  const state = { debug: true };
  const { location } = renderApp({
    pathname: routes.billing,
    search: '?a=b',
    hash: '#method',
    state,
  });

  expect(await screen.findByText(/^Signed in as/)).toBeVisible();
  await waitFor(() => expect(location).toEqual({ path: `${routes.dash}?a=b#method`, state }));
});
