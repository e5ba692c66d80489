import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { useSessionStore } from '@/modules/session/session-store';
import { serveAuthentication, serveCreatePaymentMethod, typeCard } from '@/testing/card-provider';
import { aLicense, aNextAction, aSubscription, aUser } from '@/testing/fixtures';
import { errorResponse, serveUser, serveVisitor } from '@/testing/handlers';
import { server } from '@/testing/server';
import { sessionOver, signInAgain } from '@/testing/sign-in-again';
import {
  clickSubscribe,
  openPaymentScreen,
  serveSubscribe,
  subscribeWithCard,
  subscriptionResponse,
  successTitle,
} from './testing';

/** The response after the start of a trial with a card that requires authentication. */
const trialWithUnapprovedCard = {
  status: 'trialing',
  outcome: 'confirm_setup',
  next: aNextAction({ kind: 'confirm_setup', secret: 's_1' }),
} as const;

describe('a failed payment', () => {
  it.each([
    ['a card that can’t be saved', 'ERRCARD', 'Your card was declined.', 402],
    ['a subscription by another user', 'ERRCONFLICT', 'You already have a subscription.', 409],
    [
      'a payment method that the provider lacks',
      'ERRUNSUPPORTED',
      'The payment provider does not support saved payment methods.',
      409,
    ],
  ])(
    "shows the server's message and enables the form again after %s",
    async (_, name, message, status) => {
      await openPaymentScreen();
      serveSubscribe(() => errorResponse(name, message, status));
      await subscribeWithCard();
      const alert = await screen.findByRole('alert');
      expect(alert).toHaveTextContent(message);
      expect(alert).toHaveTextContent('Nothing was charged.');
      expect(screen.getByRole('button', { name: 'Subscribe' })).toBeEnabled();
      expect(screen.getByLabelText('Card number')).toBeEnabled();
    },
  );

  it.each(sessionOver)(
    'asks the user to sign in again after %s, and keeps the card number',
    async (name, message, status) => {
      await openPaymentScreen();
      serveSubscribe(() => errorResponse(name, message, status));
      serveVisitor();
      await subscribeWithCard();
      expect(await screen.findByRole('heading', { name: 'Your session has ended' })).toBeVisible();
      expect(screen.getByText(/Sign in again/)).not.toHaveTextContent('charged');
      expect(screen.queryByText(message)).not.toBeInTheDocument();
      const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent);
      expect(buttons).toEqual(['Show Password', 'Sign In']);

      await signInAgain(() => serveUser());
      const alert = await screen.findByRole('alert');
      expect(alert).toHaveTextContent('Your session was renewed. Please try again.');
      expect(screen.getByLabelText('Card number')).toHaveValue('4242 4242 4242 4242');

      serveSubscribe(() => subscriptionResponse({ status: 'trialing' }));
      await clickSubscribe();
      expect(await screen.findByText(successTitle)).toBeVisible();
    },
  );

  it('clears the form when another user signs in', async () => {
    await openPaymentScreen();
    serveSubscribe(() => errorResponse('ERRUNAUTHENTICATED', 'Please sign in first.', 401));
    serveVisitor();
    await subscribeWithCard();

    await signInAgain(() => serveUser({ id: 'usr_2' }));
    await waitFor(() => expect(screen.getByLabelText('Card number')).toHaveValue(''));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it.each([
    [{ error: { message: 'Your card has expired.' } }, 'Your card has expired.'],
    [{ name: 'ERRCARD', message: 'Your card has expired.' }, 'Your card has expired.'],
    [null, 'Interval Server Error'],
  ])('shows the message of the 200 response %j', async (body, message) => {
    await openPaymentScreen();
    serveSubscribe(() => HttpResponse.json(body));
    await subscribeWithCard();
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
  });

  it('reports an unknown outcome when the response is lost', async () => {
    await openPaymentScreen();
    serveSubscribe(() => HttpResponse.error());
    await subscribeWithCard();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Network Error');
    expect(alert).toHaveTextContent('Look at your dashboard before you try again.');
    expect(alert).not.toHaveTextContent('Nothing was charged');
  });

  it.each([
    ['too many requests', 'ERRRATELIMIT', 'Too many requests.', 429],
    ['an invalid request', 'ERRVALIDATION', 'Check your input.', 400],
  ])(
    'does not say that nothing was charged when a retry after a lost response is refused because of %s',
    async (_, name, message, status) => {
      await openPaymentScreen();
      serveSubscribe(() => HttpResponse.error());
      await subscribeWithCard();
      await screen.findByRole('alert');

      serveSubscribe(() => errorResponse(name, message, status));
      await clickSubscribe();
      await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(message));
      expect(screen.getByRole('alert')).toHaveTextContent(
        'We could not find out whether your earlier attempt went through. Look at your dashboard before you try again.',
      );
      expect(screen.getByRole('alert')).not.toHaveTextContent('Nothing was charged');
    },
  );

  it('says that nothing was charged when a retry after a lost response is decided', async () => {
    await openPaymentScreen();
    serveSubscribe(() => HttpResponse.error());
    await subscribeWithCard();
    await screen.findByRole('alert');

    serveSubscribe(() => errorResponse('ERRCARD', 'Your card was declined.', 402));
    await clickSubscribe();
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('was declined'));
    expect(screen.getByRole('alert')).toHaveTextContent('Nothing was charged.');
    serveSubscribe(() => errorResponse('ERRRATELIMIT', 'Too many requests.', 429));
    await clickSubscribe();
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Too many requests.'));
    expect(screen.getByRole('alert')).toHaveTextContent('Nothing was charged.');
  });

  it('knows after a reload that the response to a payment was lost', async () => {
    sessionStorage.setItem('unknownPaymentOutcome', aUser().id);
    await openPaymentScreen();
    serveSubscribe(() => errorResponse('ERRRATELIMIT', 'Too many requests.', 429));
    await subscribeWithCard();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('We could not find out whether your earlier attempt');
  });

  it('ignores the lost response of a user who was signed in before', async () => {
    sessionStorage.setItem('unknownPaymentOutcome', `other-${aUser().id}`);
    await openPaymentScreen();
    serveSubscribe(() => errorResponse('ERRRATELIMIT', 'Too many requests.', 429));
    await subscribeWithCard();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Nothing was charged.');
    expect(alert).not.toHaveTextContent('your earlier attempt');
  });

  it("shows the provider's message, and that nothing was charged, when the authentication fails", async () => {
    await openPaymentScreen();
    serveSubscribe(() => subscriptionResponse({ payment: 'requires_action' }));
    serveAuthentication('pi_1_secret');
    await subscribeWithCard();
    await userEvent.click(await screen.findByRole('button', { name: 'Fail' }));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('We are unable to authenticate your payment method.');
    expect(alert).toHaveTextContent('Nothing was charged.');
    expect(alert).not.toHaveTextContent(/try again/i);
  });

  it('stays on the screen when the authentication fails after the trial has started', async () => {
    await openPaymentScreen();
    serveSubscribe(() => {
      serveUser({ license: aLicense() });
      return subscriptionResponse(trialWithUnapprovedCard);
    });
    serveAuthentication('s_1');
    await subscribeWithCard();
    await userEvent.click(await screen.findByRole('button', { name: 'Fail' }));
    const alert = await screen.findByRole('alert');
    await waitFor(() =>
      expect(useSessionStore.getState().session).toMatchObject({ user: { license: {} } }),
    );
    expect(alert).toBeVisible();
    expect(alert).toHaveTextContent('Your trial has started');
    expect(screen.getByText('Your 7-day free trial has started')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Approve this card' })).toBeVisible();
  });

  it('repeats only the authentication when the customer approves the card after its failure', async () => {
    await openPaymentScreen();
    const requests = serveSubscribe(() => subscriptionResponse(trialWithUnapprovedCard));
    const outcomes = serveAuthentication('s_1');
    await subscribeWithCard('pm_1');
    await userEvent.click(await screen.findByRole('button', { name: 'Fail' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'We are unable to authenticate your payment method.',
    );

    const respond = vi.fn(() =>
      HttpResponse.json({
        ...aSubscription({ status: 'trialing' }),
        outcome: 'confirm_setup',
        next: aNextAction({ kind: 'confirm_setup', secret: 's_2' }),
      }),
    );
    server.use(http.post('/vc-admin/org/subscription/pay', respond));
    const secondOutcomes = serveAuthentication('s_2');
    await userEvent.click(screen.getByRole('button', { name: 'Approve this card' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Complete' }));
    expect(await screen.findByText(successTitle)).toBeVisible();
    expect(requests).toHaveLength(1);
    expect(outcomes).toEqual([{ outcome: 'fail' }]);
    expect(secondOutcomes).toEqual([{ outcome: 'complete' }]);
    expect(respond).toHaveBeenCalledOnce();
  });
});

describe('an invalid card', () => {
  it('is reported under the card field, with the focus on its input', async () => {
    await openPaymentScreen();
    await clickSubscribe();
    expect(await screen.findByText('Your card number is incomplete.')).toBeVisible();
    expect(screen.getByLabelText('Card number')).toHaveFocus();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it("shows the provider's message until the customer edits the card", async () => {
    await openPaymentScreen();
    serveCreatePaymentMethod({ message: 'Your card has expired.' });
    await typeCard();
    await clickSubscribe();
    expect(await screen.findByText('Your card has expired.')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Card number'), '{Backspace}');
    expect(screen.queryByText('Your card has expired.')).not.toBeInTheDocument();
  });
});
