import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { typeCard } from '@/testing/card-provider';
import { aSubscription } from '@/testing/fixtures';
import { serveConfig, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import PaymentScreen from './PaymentScreen';

export const payment =
  '/vc-admin/diy/payment?customer=cus_1&product=professional&currency=AUD&interval=yearly&debug=true';

/** The heading after a successful payment. */
export const success = 'Subscription update, success!';

type ServedUser = Parameters<typeof serveUser>;

/** Opens the payment screen as a user without a license. */
export async function openPayment(user: ServedUser[0] = {}, options: ServedUser[1] = {}) {
  serveConfig();
  serveUser(user, options);
  const location = renderScreen(PaymentScreen, payment);
  await screen.findByLabelText('Card number');
  return location;
}

export const subscribe = () => userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));

/** Types a valid card, which the fake provider accepts, and subscribes. */
export async function payWith(paymentMethodId = 'pm_1') {
  server.use(
    http.post('/dev/payments/payment_methods', () => HttpResponse.json({ id: paymentMethodId })),
  );
  await typeCard();
  await subscribe();
}

/** Responds to the subscribe call and returns the requests it received. */
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

/** The response with a subscription; see aSubscription. */
export const subscriptionResponse = (parts: Parameters<typeof aSubscription>[0]): Response =>
  HttpResponse.json(aSubscription(parts));
