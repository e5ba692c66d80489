import { act, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { serveBilling } from '@/features/dashboard/testing';
import { useSessionStore } from '@/modules/session/session-store';
import { deferred } from '@/testing/deferred';
import { aBilledSubscription, aLicense, billingDetails } from '@/testing/fixtures';
import { serveSubscriptionCall, serveUser } from '@/testing/handlers';
import { anInvoice } from '@/testing/invoice-fixtures';
import { server } from '@/testing/server';
import { renderApp } from './testing';

/** Serves a list with one invoice when `ready` resolves. */
const serveInvoices = (number: string, ready = Promise.resolve()) =>
  server.use(
    http.post('/vc-admin/org/invoices/list', async () => {
      await ready;
      return HttpResponse.json({ data: [anInvoice({ number })], hasMore: false });
    }),
  );

async function openAccountPage(user: ReturnType<typeof renderApp>['user'], name: string) {
  const navigation = await screen.findByRole('navigation', { name: 'Account' });
  await user.click(within(navigation).getByRole('link', { name }));
}

const license = aLicense();

it('shows the cached invoices when the screen is opened again, and then the new invoices', async () => {
  serveBilling(aBilledSubscription(), {}, { license });
  serveInvoices('INV-1');
  const { user } = renderApp('/vc-admin/diy/invoices');
  await screen.findByRole('link', { name: 'INV-1' });
  await openAccountPage(user, 'Dashboard');
  await screen.findByRole('region', { name: 'Professional' });

  const response = deferred();
  serveInvoices('INV-2', response.promise);
  await openAccountPage(user, 'Invoices');

  expect(await screen.findByRole('link', { name: 'INV-1' })).toBeVisible();
  response.resolve();
  expect(await screen.findByRole('link', { name: 'INV-2' })).toBeVisible();
});

it('shows no invoices that were loaded before the plan was resumed', async () => {
  const endingSubscription = aBilledSubscription({ endsAt: '2027-11-21T00:00:00Z' });
  serveBilling(endingSubscription, {}, { license });
  serveInvoices('INV-1');
  const { user } = renderApp('/vc-admin/diy/invoices');
  await screen.findByRole('link', { name: 'INV-1' });
  await openAccountPage(user, 'Dashboard');
  serveSubscriptionCall('resume', { id: 'sub_1', status: 'active' }, 200, () =>
    serveBilling(aBilledSubscription(), {}, { license }),
  );
  await user.click(await screen.findByRole('button', { name: 'Resume Professional' }));
  await screen.findByText('You keep Professional.');

  serveInvoices('INV-2', deferred().promise);
  await openAccountPage(user, 'Invoices');

  expect(await screen.findByText('Loading your invoices...')).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'INV-1' })).not.toBeInTheDocument();
});

it('shows no old billing details after they were changed', async () => {
  serveBilling(aBilledSubscription(), {}, { license });
  const { user } = renderApp('/vc-admin/dash');
  const summary = await screen.findByRole('region', { name: 'Billing details' });
  await within(summary).findByText('Byron Clinic');
  await openAccountPage(user, 'Billing details');
  server.use(
    http.post('/vc-admin/org/billing/edit', () =>
      HttpResponse.json({ ...billingDetails, legalName: 'Lovelace Clinic' }),
    ),
  );
  await user.clear(await screen.findByLabelText('Legal name'));
  await user.type(screen.getByLabelText('Legal name'), 'Lovelace Clinic');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved');

  const { promise, resolve } = deferred<void>();
  server.use(
    http.get('/vc-admin/org/billing/details', async () => {
      await promise;
      return HttpResponse.json({ ...billingDetails, legalName: 'Lovelace Clinic' });
    }),
  );
  await openAccountPage(user, 'Dashboard');
  await screen.findByRole('heading', { name: 'Dashboard', level: 1 });
  expect(screen.queryByText('Byron Clinic', { selector: 'address *' })).not.toBeInTheDocument();

  resolve();

  const newSummary = within(await screen.findByRole('region', { name: 'Billing details' }));
  expect(await newSummary.findByText('Lovelace Clinic')).toBeVisible();
});

it('shows no invoices of the previous user after another user has signed in', async () => {
  serveBilling(aBilledSubscription(), {}, { license });
  serveInvoices('INV-1');
  renderApp('/vc-admin/diy/invoices');
  await screen.findByRole('link', { name: 'INV-1' });

  serveUser({ id: 'usr_2' });
  serveInvoices('INV-2', deferred().promise);
  await act(() => useSessionStore.getState().refresh());

  expect(await screen.findByText('Loading your invoices...')).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'INV-1' })).not.toBeInTheDocument();
});
