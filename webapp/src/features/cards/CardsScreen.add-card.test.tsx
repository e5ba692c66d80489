import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { NextAction } from '@/api';
import {
  aCard,
  serveAuthentication,
  serveCreatePaymentMethod,
  typeCard,
} from '@/testing/card-provider';
import { deferred } from '@/testing/deferred';
import { aNextAction } from '@/testing/fixtures';
import { serveUser, serveVisitor } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import { sessionOver, signInAgain } from '@/testing/sign-in-again';
import CardsScreen from './CardsScreen';
import { findRow, serveCall, serveCards, serveList } from './testing';

const oldCard = aCard('4444');
const newCard = aCard('4242');
const path = '/vc-admin/diy/cards';
const findPanelButton = () => screen.findByRole('button', { name: 'Add card' });
const addButton = () => screen.getByRole('button', { name: 'Add' });

async function submitCard(number?: string) {
  await userEvent.click(await findPanelButton());
  await typeCard(number);
  await userEvent.click(addButton());
}

let consoleError: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
  serveCards([oldCard], oldCard.id);
  serveCreatePaymentMethod({ id: 'pm_4242' });
});

describe("the 'Add card' panel", () => {
  it('shows the card form when it is opened and removes the form when it is closed', async () => {
    renderScreen(CardsScreen, path);
    expect(await findPanelButton()).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByRole('button', { name: 'Add' })).not.toBeInTheDocument();

    await userEvent.click(await findPanelButton());
    expect(await findPanelButton()).toHaveAttribute('aria-expanded', 'true');
    expect(
      await screen.findByText(
        'Enter your card details. Your card will be saved as new default mode of payment.',
      ),
    ).toBeVisible();
    expect(await screen.findByLabelText('Card number')).toBeVisible();
    expect(addButton()).toBeVisible();

    await userEvent.click(await findPanelButton());
    expect(screen.queryByLabelText('Card number')).not.toBeInTheDocument();
  });
});

describe('adding a card', () => {
  it('adds the card as the default one, reloads the list and shows a message', async () => {
    const bodies = serveCall('cards/add', newCard);
    renderScreen(CardsScreen, path);
    await findRow('4444');
    serveList([newCard, oldCard]);

    await submitCard();

    expect(await (await findRow('4242')).findByText('Default')).toBeVisible();
    expect((await findRow('4444')).queryByText('Default')).not.toBeInTheDocument();
    expect(bodies).toEqual([{ paymentMethodId: 'pm_4242', set_default: true }]);
    expect(screen.getByRole('status')).toHaveTextContent(
      'Visa •••• 4242 was added and is your default card now.',
    );
    expect(screen.getByRole('heading', { name: 'Saved Card(s)' })).toHaveFocus();
    expect(await findPanelButton()).toHaveAttribute('aria-expanded', 'false');
  });

  describe('that its bank wants approved first', () => {
    /** Declines the card with the next action until `approve` is called, and counts the requests. */
    function serveApproval(next: NextAction) {
      let isApproved = false;
      const respond = vi.fn(() =>
        isApproved
          ? HttpResponse.json(newCard)
          : HttpResponse.json({ name: 'ERRCARD', message: 'Approve it.', next }, { status: 402 }),
      );
      server.use(http.post('/vc-admin/org/customer/cards/add', respond));
      return { respond, approve: () => (isApproved = true) };
    }

    it('saves the card after the approval', async () => {
      const { respond, approve } = serveApproval(
        aNextAction({ kind: 'confirm_setup', secret: 's_1' }),
      );
      const outcomes = serveAuthentication('s_1');
      renderScreen(CardsScreen, path);
      await findRow('4444');
      await submitCard();
      const completeButton = await screen.findByRole('button', { name: 'Complete' });
      approve();
      serveList([newCard, oldCard]);
      await userEvent.click(completeButton);
      expect(await (await findRow('4242')).findByText('Default')).toBeVisible();
      expect(outcomes).toEqual([{ outcome: 'complete' }]);
      expect(respond).toHaveBeenCalledTimes(2);
    });

    it('shows the reason when the approval fails', async () => {
      const { respond } = serveApproval(aNextAction({ kind: 'confirm_setup', secret: 's_1' }));
      serveAuthentication('s_1');
      renderScreen(CardsScreen, path);
      await submitCard();
      await userEvent.click(await screen.findByRole('button', { name: 'Fail' }));
      expect(
        await screen.findByText('We are unable to authenticate your payment method.'),
      ).toBeVisible();
      expect(addButton()).not.toHaveAttribute('aria-disabled');
      expect(respond).toHaveBeenCalledOnce();
    });

    it("leaves for the bank's page, and stores which cards were saved before", async () => {
      serveApproval(aNextAction({ kind: 'redirect', url: 'https://bank.example/approve' }));
      renderScreen(CardsScreen, path);
      await findRow('4444');
      await submitCard();
      await waitFor(() =>
        expect(window.location.assign).toHaveBeenCalledWith('https://bank.example/approve'),
      );
      expect(sessionStorage.getItem('methodPageVisit')).toContain(oldCard.id);
    });

    it('shows the message of a server without a next action', async () => {
      serveCall(
        'cards/add',
        { name: 'ERRCARD', message: 'Your bank wants you to approve it.' },
        402,
      );
      renderScreen(CardsScreen, path);
      await submitCard();
      expect(await screen.findByText('Your bank wants you to approve it.')).toBeVisible();
    });
  });

  it('disables the button and the fields until the response arrives', async () => {
    const { promise: response, resolve: respond } = deferred<Response>();
    server.use(http.post('/vc-admin/org/customer/cards/add', () => response));
    renderScreen(CardsScreen, path);

    await submitCard();

    expect(addButton()).toHaveAttribute('aria-busy', 'true');
    expect(addButton()).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByLabelText('Card number')).toBeDisabled();
    respond(HttpResponse.json(newCard));
    await waitFor(() => expect(screen.queryByLabelText('Card number')).not.toBeInTheDocument());
  });

  it('returns to the screen in redirectTo and passes the navigation state on', async () => {
    serveCall('cards/add', newCard);
    const state = { redirectTo: '/vc-admin/diy/confirm', mode: 'update', to: { product: 'x' } };
    const location = renderScreen(CardsScreen, { pathname: path, search: '?debug=true', state });

    await submitCard();

    await waitFor(() => expect(location.path).toBe('/vc-admin/diy/confirm?debug=true'));
    expect(location.state).toEqual(state);
  });

  it('stays on the cards screen when redirectTo is another site', async () => {
    serveCall('cards/add', newCard);
    const state = { redirectTo: 'https://evil.example/' };
    const location = renderScreen(CardsScreen, { pathname: path, state });

    await submitCard();

    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('was added'));
    expect(location.path).toBe(path);
  });

  it('creates the customer first for an organisation without one', async () => {
    serveUser({}, { org: { stripeCustomerId: undefined } });
    const requests: string[] = [];
    server.use(
      http.post('/vc-admin/user-diy/new-customer', () => {
        requests.push('new-customer');
        serveUser();
        return HttpResponse.json({ id: 'cus_1' });
      }),
      http.post('/vc-admin/org/customer/cards/add', () => {
        requests.push('add');
        return HttpResponse.json(newCard);
      }),
    );
    renderScreen(CardsScreen, path);

    await submitCard();

    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('was added'));
    expect(requests).toEqual(['new-customer', 'add']);
  });
});

describe('a card that can’t be added', () => {
  const cardField = () => screen.getByRole('group', { name: 'Card details' });

  it("shows the provider's message under the field until the customer edits the card", async () => {
    serveCreatePaymentMethod({ message: 'Your card was declined.' });
    renderScreen(CardsScreen, path);

    await submitCard();

    await waitFor(() => expect(cardField()).toHaveAccessibleDescription('Your card was declined.'));
    expect(addButton()).not.toHaveAttribute('aria-disabled');
    await userEvent.type(screen.getByLabelText('CVC'), '{Backspace}');
    expect(screen.queryByText('Your card was declined.')).not.toBeInTheDocument();
  });

  it("shows the card field's message for an incomplete number", async () => {
    renderScreen(CardsScreen, path);
    await submitCard('4242');
    await waitFor(() =>
      expect(cardField()).toHaveAccessibleDescription('Your card number is incomplete.'),
    );
  });

  it("shows the server's message, logs the failure and enables the button again", async () => {
    serveCall('cards/add', { name: 'ERRCARD', message: 'Your card has expired.' }, 402);
    renderScreen(CardsScreen, path);

    await submitCard();

    expect(await screen.findByText('Your card has expired.')).toBeVisible();
    expect(consoleError).toHaveBeenCalled();
    expect(addButton()).not.toHaveAttribute('aria-disabled');
  });

  it.each(sessionOver)(
    'asks the user to sign in again after %s and keeps the card number',
    async (name, message, status) => {
      serveCall('cards/add', { name, message }, status);
      renderScreen(CardsScreen, path);
      await findRow('4444');
      serveVisitor();

      await submitCard();
      expect(await screen.findByRole('heading', { name: 'Your session has ended' })).toBeVisible();
      expect(screen.queryByText(message)).not.toBeInTheDocument();
      const buttons = screen.getAllByRole('button').map(({ textContent }) => textContent);
      expect(buttons).toEqual(['Show Password', 'Sign In']);

      await signInAgain(() => serveCards([oldCard], oldCard.id));
      await waitFor(() => expect(screen.getByLabelText('Card number')).toBeVisible());
      expect(screen.getByLabelText('Card number')).toHaveValue('4242 4242 4242 4242');
      expect(cardField()).toHaveAccessibleDescription(
        'Your session was renewed. Please try again.',
      );
    },
  );

  it.each([
    ['the request fails', () => HttpResponse.error()],
    ['the response has no message', () => HttpResponse.json({ oops: 1 }, { status: 500 })],
  ])("says 'Invalid request, please try again later' when %s", async (_, respond) => {
    server.use(http.post('/vc-admin/org/customer/cards/add', respond));
    renderScreen(CardsScreen, path);

    await submitCard();

    expect(await screen.findByText('Invalid request, please try again later')).toBeVisible();
  });

  it("shows the server's message when the customer can't be created", async () => {
    serveUser({}, { org: { stripeCustomerId: undefined } });
    const message = 'The payment provider does not answer.';
    server.use(
      http.post('/vc-admin/user-diy/new-customer', () =>
        HttpResponse.json({ name: 'ERRPROVIDER', message }, { status: 502 }),
      ),
    );
    renderScreen(CardsScreen, path);

    await submitCard();

    expect(await screen.findByText(message)).toBeVisible();
  });
});
