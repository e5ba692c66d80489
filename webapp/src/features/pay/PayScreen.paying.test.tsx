import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { serveAuthentication, serveCreatePaymentMethod, typeCard } from '@/testing/card-provider';
import {
  anOpenPayment,
  aSubscription,
  overduePayment,
  planChangePayment,
} from '@/testing/fixtures';
import { server } from '@/testing/server';
import {
  openPayScreen,
  pressButton,
  professionalLicense,
  serveOpenPayment,
  servePay,
} from './testing';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('paying', () => {
  it('sends the invoice, the amount and the card, shows the result and stays signed in', async () => {
    serveOpenPayment(overduePayment);
    const bodies = servePay(aSubscription({ status: 'active', payment: 'succeeded' }), 200, () =>
      serveOpenPayment(null),
    );
    const location = openPayScreen();
    await pressButton('Pay $39 AUD');
    const heading = await screen.findByRole('heading', { name: 'Your invoice is paid' });
    expect(heading).toHaveFocus();
    expect(screen.getByText('$39 AUD was paid. You keep Standard.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See the invoice' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/invoices',
    );
    expect(bodies).toEqual([
      { invoiceId: 'in_1', amount: 3900, paymentMethodId: 'pm_4242', makeDefault: false },
    ]);
    expect(location.path).toBe('/vc-admin/diy/pay');
  });

  it('charges another saved card and makes that card the default', async () => {
    serveOpenPayment(overduePayment);
    const bodies = servePay(aSubscription({ status: 'active' }), 200, () => serveOpenPayment(null));
    openPayScreen();
    await userEvent.click(await screen.findByRole('radio', { name: 'Mastercard ending in 4444' }));
    await pressButton('Pay $39 AUD');
    await screen.findByRole('heading', { name: 'Your invoice is paid' });
    expect(bodies).toMatchObject([{ paymentMethodId: 'pm_4444', makeDefault: true }]);
  });

  it('charges a new card without making that card the default when the checkbox is off', async () => {
    serveOpenPayment(overduePayment);
    serveCreatePaymentMethod({ id: 'pm_new' });
    const bodies = servePay(aSubscription({ status: 'active' }), 200, () => serveOpenPayment(null));
    openPayScreen();
    await userEvent.click(await screen.findByRole('radio', { name: 'Another card' }));
    await typeCard();
    await userEvent.click(screen.getByRole('checkbox'));
    await pressButton('Pay $39 AUD');
    await screen.findByRole('heading', { name: 'Your invoice is paid' });
    expect(bodies).toMatchObject([{ paymentMethodId: 'pm_new', makeDefault: false }]);
  });

  it('confirms the payment in the browser when the bank requires authentication', async () => {
    serveOpenPayment(planChangePayment);
    servePay(aSubscription({ status: 'incomplete', payment: 'requires_action' }), 200, () =>
      serveOpenPayment(null, { license: professionalLicense }),
    );
    const outcomes = serveAuthentication('pi_1_secret');
    openPayScreen();
    await pressButton('Pay $396 AUD');
    await pressButton('Complete');
    expect(await screen.findByRole('heading', { name: 'Your plan has changed' })).toBeVisible();
    expect(outcomes).toEqual([{ outcome: 'complete' }]);
  });

  it('reports that the subscription has started after the first payment', async () => {
    serveOpenPayment(anOpenPayment({ kind: 'first_payment', priceId: 'professional_yearly' }), {
      license: null,
    });
    servePay(aSubscription({ status: 'active' }), 200, () => serveOpenPayment(null));
    openPayScreen();
    await pressButton('Pay $39 AUD');
    expect(
      await screen.findByRole('heading', { name: 'Your subscription has started' }),
    ).toBeVisible();
  });

  it('shows that the payment is on its way while it is processing', async () => {
    serveOpenPayment(overduePayment);
    servePay(aSubscription({ status: 'past_due', payment: 'processing' }));
    openPayScreen();
    await pressButton('Pay $39 AUD');
    expect(await screen.findByText('Your payment is on its way')).toBeVisible();
  });

  it('reports the success when the response is lost but the payment was made', async () => {
    serveOpenPayment(overduePayment);
    server.use(
      http.post('/vc-admin/org/subscription/pay', () => {
        serveOpenPayment(null);
        return HttpResponse.error();
      }),
    );
    openPayScreen();
    await pressButton('Pay $39 AUD');
    expect(await screen.findByRole('heading', { name: 'Your invoice is paid' })).toBeVisible();
  });
});

it('keeps the look of the pay button and disables the other button while the payment is sent', async () => {
  serveOpenPayment(planChangePayment);
  server.use(http.post('/vc-admin/org/subscription/pay', () => new Promise<Response>(() => {})));
  openPayScreen();
  const payButton = await screen.findByRole('button', { name: 'Pay $396 AUD' });
  const idleClass = payButton.className;
  await userEvent.click(payButton);
  expect(payButton).toHaveAttribute('aria-busy', 'true');
  expect(payButton.className).toBe(idleClass);
  expect(screen.getByRole('button', { name: 'Keep Standard yearly' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});
