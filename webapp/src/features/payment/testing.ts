import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { typeCard } from '@/testing/card-provider';
import { aSubscription } from '@/testing/fixtures';
import { serveConfig, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import PaymentScreen from './PaymentScreen';

/** The path of the payment screen for the yearly Professional plan. */
export const paymentPath =
  '/vc-admin/diy/payment?customer=cus_1&product=professional&currency=AUD&interval=yearly&debug=true';

/** The heading after a successful payment. */
export const successTitle = 'Subscription update, success!';

type UserParams = Parameters<typeof serveUser>;

/** Opens the payment screen as this user and waits for the card field. */
export async function openPaymentScreen(
  user: UserParams[0] = {},
  organisation: UserParams[1] = {},
) {
  serveConfig();
  serveUser(user, organisation);
  const location = renderScreen(PaymentScreen, paymentPath);
  await screen.findByLabelText('Card number');
  return location;
}

export const clickSubscribe = () =>
  userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));

/** Types a card that becomes this payment method at the fake provider, and subscribes. */
export async function subscribeWithCard(paymentMethodId = 'pm_1') {
  server.use(
    http.post('/dev/payments/payment_methods', () => HttpResponse.json({ id: paymentMethodId })),
  );
  await typeCard();
  await clickSubscribe();
}

/** Serves the subscribe call; returns the requests. */
export function serveSubscribe(respond: () => Response | Promise<Response>) {
  const requests: { search: string; body: unknown }[] = [];
  server.use(
    http.post('/vc-admin/user-diy/subscribe', async ({ request }) => {
      requests.push({ search: new URL(request.url).search, body: await request.json() });
      return respond();
    }),
  );
  return requests;
}

/** A response with the subscription that `aSubscription` returns. */
export const subscriptionResponse = (parts: Parameters<typeof aSubscription>[0]): Response =>
  HttpResponse.json(aSubscription(parts));
