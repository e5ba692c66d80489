import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { deferred } from '@/testing/deferred';
import { aLicense, aUser } from '@/testing/fixtures';
import { server } from '@/testing/server';
import {
  openPaymentScreen,
  serveSubscribe,
  subscribeWithCard,
  subscriptionResponse,
  successTitle,
} from './testing';

describe('subscribing', () => {
  it('sends the plan and the card, and shows the success', async () => {
    await openPaymentScreen();
    const requests = serveSubscribe(() => subscriptionResponse({ status: 'trialing' }));
    await subscribeWithCard('pm_42');
    const heading = await screen.findByRole('heading', { name: successTitle });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(screen.getByText('Logging you out... please wait and login again!')).toBeVisible();
    expect(requests).toEqual([
      {
        search: '?debug=true',
        body: {
          customerId: 'cus_1',
          paymentMethodId: 'pm_42',
          priceId: 'professional_yearly',
          interval: 'yearly',
          currency: 'AUD',
        },
      },
    ]);
  });

  it('subscribes without a trial when the trial was used', async () => {
    await openPaymentScreen({ pastLicense: aLicense() });
    const requests = serveSubscribe(() => subscriptionResponse({ status: 'active' }));
    await subscribeWithCard();
    expect(await screen.findByText(successTitle)).toBeVisible();
    expect(requests[0]?.body).toMatchObject({ no_trial: true });
  });

  it('disables the fields and sends no second request until the response arrives', async () => {
    await openPaymentScreen();
    const { promise, resolve } = deferred();
    const requests = serveSubscribe(async () => {
      await promise;
      return subscriptionResponse({ status: 'trialing' });
    });
    await subscribeWithCard();
    const button = screen.getByRole('button', { name: 'Subscribe' });
    expect(button).toHaveAttribute('aria-busy', 'true');
    expect(screen.getByLabelText('Card number')).toBeDisabled();
    await userEvent.click(button);
    resolve();
    expect(await screen.findByText(successTitle)).toBeVisible();
    expect(requests).toHaveLength(1);
  });

  it('shows the success when the response is lost but the subscription was made', async () => {
    await openPaymentScreen();
    serveSubscribe(() => HttpResponse.error());
    const license = aLicense({
      raw: { ...aLicense().raw, metadata: { name: 'professional', interval: 'yearly' } },
    });
    server.use(
      http.get('/vc-admin/user/detail', () => HttpResponse.json({ detail: aUser({ license }) })),
    );
    await subscribeWithCard();
    expect(await screen.findByText(successTitle)).toBeVisible();
  });

  it('says that the payment is on its way, without a button to pay again, while it is processing', async () => {
    await openPaymentScreen();
    serveSubscribe(() => subscriptionResponse({ payment: 'processing' }));
    await subscribeWithCard();
    expect(await screen.findByText('Your payment is on its way')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Subscribe' })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to your dashboard' })).toHaveAttribute(
      'href',
      '/vc-admin/dash?debug=true',
    );
  });
});
