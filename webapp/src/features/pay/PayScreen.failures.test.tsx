import { screen, waitFor } from '@testing-library/react';
import { serveAuthentication, serveCardProvider, typeCard } from '@/testing/card-provider';
import { aSubscription, overdue, planChange } from '@/testing/fixtures';
import { serveVisitor } from '@/testing/handlers';
import { sessionOver, signInAgain } from '@/testing/sign-in-again';
import { openPay, press, serveOpen, servePay } from './testing';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('a payment that fails', () => {
  it('shows the decline with its reason, says that the bill is open, and reloads the cards', async () => {
    serveOpen(overdue);
    const reason = 'Your card has insufficient funds.';
    servePay(aSubscription({ status: 'past_due', payment: 'requires_payment_method' }), 200, () =>
      serveOpen({ ...overdue, reason }, {}, []),
    );
    openPay();
    await press('Pay $39 AUD');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Your card was declined.');
    expect(alert).toHaveTextContent(reason);
    expect(alert).toHaveTextContent('Your bill is still open. We try again on');
    expect(alert).not.toHaveTextContent('Nothing was charged');
    await waitFor(() => expect(screen.queryByRole('radio')).not.toBeInTheDocument());
  });

  it('says that the plan has not changed when the change is declined', async () => {
    serveOpen(planChange);
    servePay(aSubscription({ status: 'incomplete', payment: 'requires_payment_method' }));
    openPay();
    await press('Pay $396 AUD');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /Your card was declined\.Your plan has not changed\. You keep Standard until/,
    );
  });

  it('shows why the bank did not approve it', async () => {
    serveOpen(planChange);
    servePay(aSubscription({ status: 'incomplete', payment: 'requires_action' }));
    serveAuthentication('pi_1_secret');
    openPay();
    await press('Pay $396 AUD');
    await press('Fail');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('We are unable to authenticate your payment method.');
    expect(alert).toHaveTextContent('Your plan has not changed.');
  });

  it('shows the current amount when it differs from the requested one', async () => {
    serveOpen(overdue);
    const quote = { invoiceId: 'in_2', amount: 7600, currency: 'AUD' };
    const message =
      'The amount to pay has changed, and nothing was charged. Please look at it again.';
    const bodies = servePay({ name: 'ERRQUOTE', message, quote }, 409);
    openPay();
    await press('Pay $39 AUD');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(`${message}$76 AUD is open now.`);

    servePay(aSubscription({ status: 'active' }), 200, () => serveOpen(null));
    await press('Pay $76 AUD');
    expect(await screen.findByText('$76 AUD was paid. You keep Standard.')).toBeVisible();
    expect(bodies).toHaveLength(1);
  });

  it('shows what is wrong with a new card under the field', async () => {
    serveOpen(overdue, {}, []);
    serveCardProvider({ message: 'Your card number is incorrect.' });
    openPay();
    await typeCard();
    await press('Pay $39 AUD');
    await waitFor(() =>
      expect(screen.getByRole('group', { name: 'Card details' })).toHaveAccessibleDescription(
        'Your card number is incorrect.',
      ),
    );
  });

  it.each(sessionOver)('with %s asks to sign in again', async (name, message, status) => {
    serveOpen(overdue);
    servePay({ name, message }, status, serveVisitor);
    openPay();
    await press('Pay $39 AUD');
    await screen.findByRole('heading', { name: 'Your session has ended' });
    await signInAgain(() => serveOpen(overdue));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Your session was renewed. Please try again.',
    );
  });
});
