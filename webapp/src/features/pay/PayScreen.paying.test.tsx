import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { serveAuthentication, serveCardProvider, typeCard } from '@/testing/card-provider';
import {
  aLicense,
  anOpenPayment,
  aSubscription,
  overduePayment,
  planChangePayment,
} from '@/testing/fixtures';
import { server } from '@/testing/server';
import { openPay, press, serveOpen, servePay } from './testing';

const professional = {
  ...aLicense(),
  raw: { ...aLicense().raw, metadata: { name: 'professional', interval: 'yearly' as const } },
};

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('a successful payment', () => {
  it('sends invoice, amount and card, shows the result and keeps the session', async () => {
    serveOpen(overduePayment);
    const bodies = servePay(aSubscription({ status: 'active', payment: 'succeeded' }), 200, () =>
      serveOpen(null),
    );
    const location = openPay();
    await press('Pay $39 AUD');
    const heading = await screen.findByRole('heading', { name: 'Your bill is paid' });
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

  it('uses another saved card and makes it the default', async () => {
    serveOpen(overduePayment);
    const bodies = servePay(aSubscription({ status: 'active' }), 200, () => serveOpen(null));
    openPay();
    await userEvent.click(await screen.findByRole('radio', { name: 'Mastercard ending in 4444' }));
    await press('Pay $39 AUD');
    await screen.findByRole('heading', { name: 'Your bill is paid' });
    expect(bodies).toMatchObject([{ paymentMethodId: 'pm_4444', makeDefault: true }]);
  });

  it('uses a new card without making it the default when the checkbox is off', async () => {
    serveOpen(overduePayment);
    serveCardProvider({ id: 'pm_new' });
    const bodies = servePay(aSubscription({ status: 'active' }), 200, () => serveOpen(null));
    openPay();
    await userEvent.click(await screen.findByRole('radio', { name: 'Another card' }));
    await typeCard();
    await userEvent.click(screen.getByRole('checkbox'));
    await press('Pay $39 AUD');
    await screen.findByRole('heading', { name: 'Your bill is paid' });
    expect(bodies).toMatchObject([{ paymentMethodId: 'pm_new', makeDefault: false }]);
  });

  it('is confirmed in the browser when the bank requires it', async () => {
    serveOpen(planChangePayment);
    servePay(aSubscription({ status: 'incomplete', payment: 'requires_action' }), 200, () =>
      serveOpen(null, { license: professional }),
    );
    const outcomes = serveAuthentication('pi_1_secret');
    openPay();
    await press('Pay $396 AUD');
    await press('Complete');
    expect(await screen.findByRole('heading', { name: 'Your plan has changed' })).toBeVisible();
    expect(outcomes).toEqual([{ outcome: 'complete' }]);
  });

  it('starts the subscription', async () => {
    serveOpen(anOpenPayment({ kind: 'first_payment', priceId: 'professional_yearly' }), {
      license: null,
    });
    servePay(aSubscription({ status: 'active' }), 200, () => serveOpen(null));
    openPay();
    await press('Pay $39 AUD');
    expect(
      await screen.findByRole('heading', { name: 'Your subscription has started' }),
    ).toBeVisible();
  });

  it('is shown as on its way while the bank processes it', async () => {
    serveOpen(overduePayment);
    servePay(aSubscription({ status: 'past_due', payment: 'processing' }));
    openPay();
    await press('Pay $39 AUD');
    expect(await screen.findByText('Your payment is on its way')).toBeVisible();
  });

  it('succeeds when the response is lost but the payment was made', async () => {
    serveOpen(overduePayment);
    server.use(
      http.post('/vc-admin/org/subscription/pay', () => {
        serveOpen(null);
        return HttpResponse.error();
      }),
    );
    openPay();
    await press('Pay $39 AUD');
    expect(await screen.findByRole('heading', { name: 'Your bill is paid' })).toBeVisible();
  });
});

it('keeps the look of the pay button and disables the other one while it is busy', async () => {
  serveOpen(planChangePayment);
  server.use(http.post('/vc-admin/org/subscription/pay', () => new Promise<Response>(() => {})));
  openPay();
  const button = await screen.findByRole('button', { name: 'Pay $396 AUD' });
  const className = button.className;
  await userEvent.click(button);
  expect(button).toHaveAttribute('aria-busy', 'true');
  expect(button.className).toBe(className);
  expect(screen.getByRole('button', { name: 'Drop the change' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});
