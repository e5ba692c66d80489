import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import {
  aCustomer,
  catalogueWithoutTrials,
  catalogueWithPlanWithoutTrial,
} from '@/testing/fixtures';
import { errorResponse, servePost, serveUser } from '@/testing/handlers';
import { server } from '@/testing/server';
import { openDashboardWithoutBilling, providerWithoutBilling } from './testing';

describe('an organisation without a license', () => {
  const metadata = { product: 'professional', interval: 'yearly', currency: 'AUD' } as const;
  const paymentPath =
    '/vc-admin/diy/payment?customer=cus_1&product=professional&currency=AUD&interval=yearly';

  it('sees the chosen plan with a link to the payment screen', async () => {
    await openDashboardWithoutBilling({}, { org: { metadata } });
    expect(screen.getByText('One step left: your Professional plan')).toBeVisible();
    expect(screen.getByText('$816 AUD')).toBeVisible();
    expect(screen.getByText(/Nothing is charged before they end/)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go on to payment' })).toHaveAttribute(
      'href',
      `${paymentPath}&debug=true`,
    );
    expect(screen.getByRole('link', { name: 'Choose another plan' })).toBeVisible();
  });

  it('that pays by invoice is not asked for a card', async () => {
    const provider = { ...providerWithoutBilling, entry: 'invoice' as const };
    await openDashboardWithoutBilling({}, { org: { metadata } }, { provider });
    expect(screen.getByText(/^Subscribe to start your 7 free days/)).toBeVisible();
    expect(screen.queryByText(/card to start/)).not.toBeInTheDocument();
  });

  it('gets a link without the debug parameter when the area is live', async () => {
    await openDashboardWithoutBilling({}, { org: { metadata } }, { live: true });
    expect(screen.getByRole('link', { name: 'Go on to payment' })).toHaveAttribute(
      'href',
      paymentPath,
    );
  });

  it('gets a customer before the payment screen opens', async () => {
    const location = await openDashboardWithoutBilling(
      {},
      { org: { metadata, stripeCustomerId: undefined } },
    );
    server.use(
      http.post('/vc-admin/user-diy/new-customer', () => {
        serveUser({}, { org: { metadata } });
        return HttpResponse.json(aCustomer());
      }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Go on to payment' }));
    await waitFor(() => expect(location.path).toBe(`${paymentPath}&debug=true`));
  });

  it("sees the server's message when the customer can’t be created, and can try again", async () => {
    await openDashboardWithoutBilling({}, { org: { metadata, stripeCustomerId: undefined } });
    servePost('/vc-admin/user-diy/new-customer', () =>
      errorResponse('ERRPROVIDER', 'The payment provider does not answer.', 503),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Go on to payment' }));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Please try again later!');
    expect(alert).toHaveTextContent('The payment provider does not answer.');
    expect(screen.getByRole('button', { name: 'Go on to payment' })).toBeEnabled();
  });

  it.each([
    ['the trial', /every plan begins with a free trial/, {}],
    ['no trial if there is none', /get started\. You/, { catalogue: catalogueWithoutTrials() }],
    [
      'no trial of every plan if one has none',
      /get started\. You/,
      { catalogue: catalogueWithPlanWithoutTrial() },
    ],
  ])('that has chosen no plan reads of %s', async (_, text, config) => {
    await openDashboardWithoutBilling({}, { org: { metadata: {} } }, config);
    expect(screen.getByText(text)).toBeVisible();
  });

  it.each([
    ['no plan', {}],
    ['a plan that is not sold here', { ...metadata, product: 'enterprise' }],
  ])('sees a link to the plans after a registration with %s', async (_, metadata) => {
    await openDashboardWithoutBilling({}, { org: { metadata } }, { query: '?debug=true' });
    expect(screen.getByRole('heading', { name: 'You have no plan yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Choose a plan' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/plans?debug=true',
    );
  });
});
