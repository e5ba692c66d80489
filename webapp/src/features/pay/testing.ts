import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http, type JsonBodyType } from 'msw';
import type { Card, OpenPayment, UserDetail } from '@/api';
import { aCard } from '@/testing/card-provider';
import { aLicense } from '@/testing/fixtures';
import { serveConfig, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import PayScreen from './PayScreen';

/** Signs in a user with this open payment, an active Standard license and these saved cards. */
export function serveOpen(
  openPayment: OpenPayment | null,
  user: Partial<UserDetail> = {},
  cards: Card[] = [aCard('4242'), aCard('4444', { brand: 'mastercard' })],
): void {
  serveConfig();
  serveUser(
    { license: aLicense(), openPayment, ...user },
    { customer: { invoice_settings: { default_payment_method: cards[0]?.id ?? null } } },
  );
  server.use(http.get('/vc-admin/org/customer/cards', () => HttpResponse.json({ data: cards })));
}

/** Responds to the pay call and returns the request bodies. `then` runs before the response. */
export function servePay(response: JsonBodyType, status = 200, then: () => void = () => {}) {
  return serveCall('pay', response, status, then);
}

export function serveCall(
  call: 'pay' | 'pending/cancel',
  response: JsonBodyType,
  status = 200,
  then: () => void = () => {},
) {
  const bodies: unknown[] = [];
  server.use(
    http.post(`/vc-admin/org/subscription/${call}`, async ({ request }) => {
      bodies.push(await request.json());
      then();
      return HttpResponse.json(response, { status });
    }),
  );
  return bodies;
}

/** A subscription as the server returns it, with the invoice in_1 when a payment is given. */
export const subscription = (status: string, payment?: string) => ({
  id: 'sub_1',
  status,
  pending_setup_intent: null,
  latest_invoice: payment
    ? {
        id: 'in_1',
        payment_intent: { id: 'pi_1', status: payment, client_secret: 'pi_1_secret' },
      }
    : null,
});

export const openPay = (search = '') =>
  renderScreen(PayScreen, { pathname: '/vc-admin/diy/pay', search });

/** Presses the main button, found by its label. */
export const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name }));
