import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { onTestFinished } from 'vitest';
import { typeCard } from '@/testing/card-field';
import { aLicense } from '@/testing/fixtures';
import { held } from '@/testing/held';
import { server } from '@/testing/server';
import {
  openPayment,
  payWith,
  refused,
  serveAuthentication,
  serveSubscribe,
  subscribe,
  subscriptionAnswer,
} from './payment-steps';

const success = 'Subscription update, success!';

// A success logs out after a second, at which the tests only look.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true });
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  onTestFinished(() => {
    act(() => void vi.runOnlyPendingTimers());
    vi.useRealTimers();
    leave.mockRestore();
  });
});

describe('a payment that goes through', () => {
  it('says so, and logs out', async () => {
    await openPayment();
    const asked = serveSubscribe(() => subscriptionAnswer({ status: 'trialing' }));
    await payWith('pm_42');
    const heading = await screen.findByRole('heading', { name: success });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(screen.getByText('Logging you out... please wait and login again!')).toBeVisible();
    expect(asked).toEqual([
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
    expect(window.location.assign).not.toHaveBeenCalled();
    act(() => void vi.advanceTimersByTime(1000));
    expect(window.location.assign).toHaveBeenCalledExactlyOnceWith('/vc-admin/auth/logout');
  });

  it('asks for no trial where none was shown', async () => {
    await openPayment({ pastLicense: aLicense() });
    const asked = serveSubscribe(() => subscriptionAnswer({ status: 'active' }));
    await payWith();
    expect(await screen.findByText(success)).toBeVisible();
    expect(asked[0]?.body).toMatchObject({ no_trial: true });
  });

  it('is asked for once, however often one clicks; nothing can be changed meanwhile', async () => {
    await openPayment();
    const { until, release } = held();
    const asked = serveSubscribe(async () => {
      await until;
      return subscriptionAnswer({ status: 'trialing' });
    });
    await payWith();
    const button = screen.getByRole('button', { name: 'Subscribe' });
    expect(button).toHaveAttribute('aria-busy', 'true');
    expect(screen.getByLabelText('Card number')).toBeDisabled();
    await userEvent.click(button);
    release();
    expect(await screen.findByText(success)).toBeVisible();
    expect(asked).toHaveLength(1);
  });

  it('may want the card authenticated first', async () => {
    await openPayment();
    serveSubscribe(() => subscriptionAnswer({ payment: 'requires_action' }));
    serveAuthentication('pi_1_secret');
    await payWith();
    await userEvent.click(await screen.findByRole('button', { name: 'Complete' }));
    expect(await screen.findByText(success)).toBeVisible();
  });

  it('is success all the same when the answer got lost', async () => {
    await openPayment();
    serveSubscribe(() => HttpResponse.error());
    const license = aLicense({
      raw: { ...aLicense().raw, metadata: { name: 'professional', interval: 'yearly' } },
    });
    server.use(http.get('/vc-admin/user/detail', () => HttpResponse.json({ detail: { license } })));
    await payWith();
    expect(await screen.findByText(success)).toBeVisible();
  });
});

describe('a payment that is on its way', () => {
  it('says so and offers no second one', async () => {
    await openPayment();
    serveSubscribe(() => subscriptionAnswer({ payment: 'processing' }));
    await payWith();
    expect(await screen.findByText('Your payment is on its way')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Subscribe' })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to your dashboard' })).toHaveAttribute(
      'href',
      '/vc-admin/dash',
    );
  });
});

describe('a card that is not good', () => {
  it('is told under the field, and its input takes the focus', async () => {
    await openPayment();
    await subscribe();
    expect(await screen.findByText('Your card number is incomplete.')).toBeVisible();
    expect(screen.getByLabelText('Card number')).toHaveFocus();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it("is told in the provider's words, until it is changed", async () => {
    await openPayment();
    const error = { message: 'Your card has expired.' };
    server.use(
      http.post('/dev/payments/payment_methods', () =>
        HttpResponse.json({ error }, { status: 402 }),
      ),
    );
    await typeCard();
    await subscribe();
    expect(await screen.findByText('Your card has expired.')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Card number'), '{Backspace}');
    expect(screen.queryByText('Your card has expired.')).not.toBeInTheDocument();
  });
});

describe('a payment that fails', () => {
  it.each([
    ['a card that can not be saved', 'ERRCARD', 'Your card was declined.', 402],
    ['somebody else being quicker', 'ERRCONFLICT', 'You already have a subscription.', 409],
  ])("because of %s shows the server's words", async (_why, name, message, status) => {
    await openPayment();
    serveSubscribe(() => refused(name, message, status));
    await payWith();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(message);
    expect(alert).toHaveTextContent('Nothing was charged.');
    expect(screen.getByRole('button', { name: 'Subscribe' })).toBeEnabled();
    expect(screen.getByLabelText('Card number')).toBeEnabled();
  });

  it.each([
    ['ERRUNAUTHENTICATED', 'Please sign in first.', 401],
    ['ERRXSRF', 'Your session has changed.', 403],
  ])(
    'with %s, because the session has ended, leads to signing in',
    async (name, message, status) => {
      await openPayment();
      serveSubscribe(() => refused(name, message, status));
      await payWith();
      const alert = await screen.findByRole('alert');
      expect(alert).toHaveTextContent(message);
      expect(alert).toHaveTextContent('Nothing was charged.');
      expect(alert).not.toHaveTextContent('another card');
      expect(within(alert).getByRole('link', { name: 'Sign in again' })).toHaveAttribute(
        'href',
        '/vc-admin/dash?debug=true',
      );
    },
  );

  it('with nothing to say for it has general words', async () => {
    await openPayment();
    serveSubscribe(() => subscriptionAnswer({ status: 'incomplete_expired' }));
    await payWith();
    expect(await screen.findByRole('alert')).toHaveTextContent('Interval Server Error');
  });

  it('somewhere on the way promises nothing', async () => {
    await openPayment();
    serveSubscribe(() => HttpResponse.error());
    await payWith();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Network Error');
    expect(alert).toHaveTextContent('Look at your dashboard before you try again.');
    expect(alert).not.toHaveTextContent('Nothing was charged');
  });

  it('because the authentication failed can be tried again', async () => {
    await openPayment();
    const setup = { id: 'seti_1', status: 'requires_action', client_secret: 's_1' } as const;
    const asked = serveSubscribe(() =>
      subscriptionAnswer({ status: 'trialing', pending_setup_intent: setup }),
    );
    const outcomes = serveAuthentication('s_1');
    await payWith('pm_1');
    await userEvent.click(await screen.findByRole('button', { name: 'Fail' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'We are unable to authenticate your payment method.',
    );

    const saved = vi.fn(() => HttpResponse.json({}));
    server.use(http.post('/vc-admin/org/customer/cards/add', saved));
    await subscribe();
    await userEvent.click(await screen.findByRole('button', { name: 'Complete' }));
    expect(await screen.findByText(success)).toBeVisible();
    expect(asked).toHaveLength(1);
    expect(outcomes).toEqual([
      { outcome: 'fail' },
      { payment_method: 'pm_1' },
      { outcome: 'complete' },
    ]);
    expect(saved).toHaveBeenCalledOnce();
  });
});

describe('a declined card', () => {
  const stored = () => [
    localStorage.getItem('latestInvoiceId'),
    localStorage.getItem('latestInvoicePaymentIntentStatus'),
  ];

  it('is remembered by its invoice; the next card retries that, and is the last word', async () => {
    await openPayment();
    serveSubscribe(() => subscriptionAnswer({ payment: 'requires_payment_method' }));
    await payWith('pm_1');
    expect(await screen.findByText('Your card was declined.')).toBeVisible();
    expect(stored()).toEqual(['in_1', 'requires_payment_method']);

    const error = { message: 'Your card has insufficient funds.' };
    const confirm = '/dev/payments/intents/pi_1_secret/confirm';
    server.use(http.post(confirm, () => HttpResponse.json({ error }, { status: 402 })));
    await subscribe();
    expect(await screen.findByText('retry payment later')).toBeVisible();
    expect(stored()).toEqual(['in_1', 'requires_payment_method']);

    server.use(http.post(confirm, () => HttpResponse.json({ id: 'pi_1', status: 'succeeded' })));
    await subscribe();
    expect(await screen.findByText(success)).toBeVisible();
    expect(stored()).toEqual([null, null]);
  });
});
