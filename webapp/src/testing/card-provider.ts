import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Card } from '@/api';
import { server } from './server';

/** Returns a saved card that ends in these digits; its id is pm_ and the digits. */
export const aCard = (last4: string, changes: Partial<Card['card']> = {}): Card => ({
  id: `pm_${last4}`,
  card: { brand: 'visa', last4, exp_month: 12, exp_year: 2034, ...changes },
});

/** Types a card into the card field, without delays between the keys, which would never end with fake timers. */
export async function typeCard(number = '4242424242424242'): Promise<void> {
  const user = userEvent.setup({ delay: null });
  await user.type(await screen.findByLabelText('Card number'), number);
  await user.type(screen.getByLabelText('Expiry'), '1234');
  await user.type(screen.getByLabelText('CVC'), '123');
}

/** Responds to the fake provider's createPaymentMethod with an id or an error. */
export function serveCreatePaymentMethod(response: { id: string } | { message: string }): void {
  server.use(
    http.post('/dev/payments/payment_methods', () =>
      'id' in response
        ? HttpResponse.json(response)
        : HttpResponse.json({ error: response }, { status: 402 }),
    ),
  );
}

/** Serves an intent that requires authentication, and returns the bodies of its confirm requests. */
export function serveAuthentication(secret: string) {
  const bodies: unknown[] = [];
  server.use(
    http.get(`/dev/payments/intents/${secret}`, () =>
      HttpResponse.json({ id: 'i_1', status: 'requires_action' }),
    ),
    http.post(`/dev/payments/intents/${secret}/confirm`, async ({ request }) => {
      const body = (await request.json()) as { outcome?: string };
      bodies.push(body);
      if (body.outcome === 'complete') return HttpResponse.json({ id: 'i_1', status: 'succeeded' });
      if (!body.outcome) return HttpResponse.json({ id: 'i_1', status: 'requires_action' });
      const error = { message: 'We are unable to authenticate your payment method.' };
      return HttpResponse.json({
        id: 'i_1',
        status: 'requires_payment_method',
        last_payment_error: error,
        last_setup_error: error,
      });
    }),
  );
  return bodies;
}
