import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serveAuthentication, serveCreatePaymentMethod, typeCard } from '@/testing/card-provider';
import {
  aLicense,
  anOpenPayment,
  aSubscription,
  overduePayment,
  owedPayment,
  planChangePayment,
} from '@/testing/fixtures';
import { serveVisitor } from '@/testing/handlers';
import { sessionOver, signInAgain } from '@/testing/sign-in-again';
import { openPayScreen, pressButton, serveOpenPayment, servePay } from './testing';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('a failed payment', () => {
  it('shows the reason of a decline, says that the invoice is open, and reloads the cards', async () => {
    serveOpenPayment(overduePayment);
    const reason = 'Your card has insufficient funds.';
    servePay(aSubscription({ status: 'past_due', payment: 'requires_payment_method' }), 200, () =>
      serveOpenPayment({ ...overduePayment, reason }, {}, []),
    );
    openPayScreen();
    await pressButton('Pay $39 AUD');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Your card was declined.');
    expect(alert).toHaveTextContent(reason);
    expect(alert).toHaveTextContent('Your invoice is still open. We try again on');
    expect(alert).not.toHaveTextContent('Nothing was charged');
    await waitFor(() => expect(screen.queryByRole('radio')).not.toBeInTheDocument());
  });

  it('says that the plan has not changed when the payment of a change is declined', async () => {
    serveOpenPayment(planChangePayment);
    servePay(aSubscription({ status: 'incomplete', payment: 'requires_payment_method' }));
    openPayScreen();
    await pressButton('Pay $396 AUD');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /Your card was declined\.Your plan has not changed\. You keep Standard\.$/,
    );
  });

  it('shows why the authentication failed and that the plan has not changed', async () => {
    serveOpenPayment(planChangePayment);
    servePay(aSubscription({ status: 'incomplete', payment: 'requires_action' }));
    serveAuthentication('pi_1_secret');
    openPayScreen();
    await pressButton('Pay $396 AUD');
    await pressButton('Fail');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('We are unable to authenticate your payment method.');
    expect(alert).toHaveTextContent('Your plan has not changed.');
  });

  it('shows the new amount when the server refuses the requested one, and pays it then', async () => {
    serveOpenPayment({ ...overduePayment, total: 4900, creditUsed: 1000, amountPaid: 0 });
    const quote = { invoiceId: 'in_2', amount: 7600, currency: 'AUD' };
    const message =
      'The amount to pay has changed, and nothing was charged. Please look at it again.';
    const bodies = servePay({ name: 'ERRQUOTE', message, quote }, 409);
    openPayScreen();
    await pressButton('Pay $39 AUD');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(`${message}$76 AUD is open now.`);
    expect(screen.queryByText('Credit used')).not.toBeInTheDocument();

    servePay(aSubscription({ status: 'active' }), 200, () => serveOpenPayment(null));
    await pressButton('Pay $76 AUD');
    expect(await screen.findByText('$76 AUD was paid. You keep Standard.')).toBeVisible();
    expect(bodies).toHaveLength(1);
  });

  it.each([
    [
      'a plan change was dropped',
      planChangePayment,
      {},
      /Nothing was paid\. Your change to Professional has expired or was dropped\. Your plan has not changed\. You keep Standard\.$/,
    ],
    [
      'the plan of an overdue invoice was ended',
      overduePayment,
      { license: null, pastLicense: aLicense() },
      /Nothing was paid\. Your Standard plan has ended\./,
    ],
    [
      'an overdue invoice was cancelled',
      overduePayment,
      {},
      /Nothing was paid\. You keep Standard/,
    ],
    [
      'the last invoice of a former plan was cancelled',
      owedPayment,
      { license: null, pastLicense: aLicense() },
      /Nothing was paid\. Your Standard plan has ended\./,
    ],
    [
      'the time for a first payment ended',
      anOpenPayment({ kind: 'first_payment' }),
      { license: null },
      /Nothing was paid\. The time for the first payment of Standard is over\./,
    ],
  ])(
    'says that nothing was paid when %s before the request',
    async (_, openPayment, user, text) => {
      serveOpenPayment(openPayment, user);
      const message = 'There is nothing to pay any more.';
      servePay({ name: 'ERRQUOTE', message }, 409, () => serveOpenPayment(null, user));
      openPayScreen();
      await userEvent.click(await screen.findByRole('button', { name: /^Pay \$/ }));
      const heading = await screen.findByRole('heading', {
        name: 'This payment is no longer open',
      });
      expect(heading).toHaveFocus();
      expect(screen.getByText(text)).toBeVisible();
      expect(screen.queryByText('Nothing to pay')).not.toBeInTheDocument();
    },
  );

  it("shows the provider's message about a new card under the card field", async () => {
    serveOpenPayment(overduePayment, {}, []);
    serveCreatePaymentMethod({ message: 'Your card number is incorrect.' });
    openPayScreen();
    await typeCard();
    await pressButton('Pay $39 AUD');
    await waitFor(() =>
      expect(screen.getByRole('group', { name: 'Card details' })).toHaveAccessibleDescription(
        'Your card number is incorrect.',
      ),
    );
  });

  it.each(sessionOver)(
    'asks the user to sign in again after %s and to pay again',
    async (name, message, status) => {
      serveOpenPayment(overduePayment);
      servePay({ name, message }, status, serveVisitor);
      openPayScreen();
      await pressButton('Pay $39 AUD');
      await screen.findByRole('heading', { name: 'Your session has ended' });
      await signInAgain(() => serveOpenPayment(overduePayment));
      expect(await screen.findByRole('alert')).toHaveTextContent(
        'Your session was renewed. Please try again.',
      );
    },
  );
});
