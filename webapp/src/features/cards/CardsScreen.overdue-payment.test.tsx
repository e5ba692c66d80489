import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { OverduePayment } from '@/api';
import {
  aCard,
  serveAuthentication,
  serveCreatePaymentMethod,
  typeCard,
} from '@/testing/card-provider';
import { anOpenPayment } from '@/testing/fixtures';
import { serveConfig, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import CardsScreen from './CardsScreen';
import {
  aCustomerWithCard,
  anOverduePayment,
  findRow,
  selectOption,
  serveCall,
  serveCards,
  serveList,
} from './testing';

const oldCard = aCard('4444');
const newCard = aCard('4242');
const path = '/vc-admin/diy/cards';

/** The payment of an invoice. The bank requires the approval of the customer. */
const paymentRequiringAction = anOverduePayment({
  status: 'requires_action',
  payment_intent: { id: 'pi_1', status: 'requires_action', client_secret: 'pi_1_secret' },
});

/** Serves a payment that has this status at the provider. */
const serveIntent = (secret: string, status: string) =>
  server.use(
    http.get(`/dev/payments/intents/${secret}`, () => HttpResponse.json({ id: 'pi_1', status })),
  );

/** Serves a user with this default card and, if `isInvoiceOpen`, with an overdue invoice. */
function serveDefaultCard(defaultCardId: string, isInvoiceOpen: boolean): void {
  serveUser(
    { openPayment: isInvoiceOpen ? anOpenPayment() : null },
    { customer: { invoice_settings: { default_payment_method: defaultCardId } } },
  );
}

/** The state of the server after the payment. */
interface StateAfterPayment {
  /** Whether the server saved the new card and made it the default. */
  isSaved?: boolean;
  isInvoiceOpen: boolean;
}

async function submitNewCard() {
  await userEvent.click(await screen.findByRole('button', { name: 'Add card' }));
  await typeCard();
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
}

/** Opens the screen and adds a card; the server charges the invoice to it with this outcome. */
async function addCard(
  payment: OverduePayment,
  { isSaved = true, isInvoiceOpen }: StateAfterPayment,
  state?: object,
) {
  serveCall('cards/add', { ...newCard, payment });
  const location = renderScreen(CardsScreen, { pathname: path, state });
  await findRow('4444');
  if (isSaved) serveList([newCard, oldCard]);
  serveDefaultCard(isSaved ? newCard.id : oldCard.id, isInvoiceOpen);
  await submitNewCard();
  return location;
}

/** Opens the screen and makes a saved card the default one; the server charges the invoice to it with this outcome. */
async function chooseDefault(payment: OverduePayment, { isInvoiceOpen }: StateAfterPayment) {
  serveCall('edit', { ...aCustomerWithCard(newCard), payment });
  renderScreen(CardsScreen, path);
  await findRow('4242');
  serveDefaultCard(newCard.id, isInvoiceOpen);
  await selectOption('4242', 'Set as default');
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  serveCards([oldCard], oldCard.id);
  serveCreatePaymentMethod({ id: 'pm_4242' });
});

describe('adding a card while an invoice is overdue', () => {
  it('shows the amount of the invoice that was paid and links to the invoice', async () => {
    await addCard(anOverduePayment(), { isInvoiceOpen: false });

    await waitFor(() =>
      expect(screen.getByRole('status')).toHaveTextContent(
        'Visa •••• 4242 was added and is your default card now. Your overdue invoice of $39 AUD was paid.',
      ),
    );
    expect(screen.getByRole('link', { name: 'See the invoice' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/invoices',
    );
    expect(await (await findRow('4242')).findByText('Default')).toBeVisible();
  });

  it('returns to the screen that requested the card with a notice that the invoice was paid', async () => {
    const state = { redirectTo: '/vc-admin/diy/confirm', mode: 'update' };
    const location = await addCard(anOverduePayment(), { isInvoiceOpen: false }, state);

    await waitFor(() => expect(location.path).toBe('/vc-admin/diy/confirm'));
    expect(location.state).toMatchObject({
      ...state,
      notice: expect.stringContaining('$39 AUD was paid'),
    });
  });

  it('shows the reason of a decline, the open invoice, and that the card was not saved', async () => {
    const message = 'Your card has insufficient funds.';
    await addCard(anOverduePayment({ status: 'declined', message }), {
      isSaved: false,
      isInvoiceOpen: true,
    });

    const status = screen.getByRole('status');
    await waitFor(() => expect(status).toHaveTextContent(message));
    expect(status).toHaveTextContent('Your invoice of $39 AUD is still open.');
    expect(status).toHaveTextContent('Visa •••• 4242 was not saved.');
    expect(within(status).getByRole('link', { name: 'Pay it another way' })).toHaveAttribute(
      'href',
      '/vc-admin/diy/pay',
    );
    expect(await (await findRow('4444')).findByText('Default')).toBeVisible();
  });

  it("asks for the bank's approval and then shows that the invoice was paid", async () => {
    serveAuthentication('pi_1_secret');
    await addCard(paymentRequiringAction, { isInvoiceOpen: true });

    await waitFor(() =>
      expect(screen.getByRole('status')).toHaveTextContent(
        'Your bank wants you to approve the payment of $39 AUD.',
      ),
    );
    const completeButton = await screen.findByRole('button', { name: 'Complete' });
    serveDefaultCard(newCard.id, false);
    await userEvent.click(completeButton);
    await waitFor(() =>
      expect(screen.getByRole('status')).toHaveTextContent(
        'Your overdue invoice of $39 AUD was paid.',
      ),
    );
  });

  it('shows that the payment is on its way while it is processing', async () => {
    serveIntent('pi_1_secret', 'processing');
    await addCard(paymentRequiringAction, { isInvoiceOpen: true });

    await waitFor(() =>
      expect(screen.getByRole('status')).toHaveTextContent(
        'The payment of your invoice of $39 AUD is on its way.',
      ),
    );
  });

  it('shows why the authentication failed and that the invoice is open', async () => {
    serveAuthentication('pi_1_secret');
    await addCard(paymentRequiringAction, { isInvoiceOpen: true });
    await userEvent.click(await screen.findByRole('button', { name: 'Fail' }));

    const status = screen.getByRole('status');
    await waitFor(() =>
      expect(status).toHaveTextContent('We are unable to authenticate your payment method.'),
    );
    expect(status).toHaveTextContent('Your invoice of $39 AUD is still open.');
  });

  it('loads the list again and shows the message when the card is declined', async () => {
    serveCall('cards/add', { name: 'ERRCARD', message: 'Your card has expired.' }, 402);
    renderScreen(CardsScreen, path);
    await findRow('4444');
    serveList([]);

    await submitNewCard();

    expect(await screen.findByText('No records found')).toBeVisible();
    expect(await screen.findByText('Your card has expired.')).toBeVisible();
  });
});

describe('choosing a default card while an invoice is overdue', () => {
  beforeEach(() => serveCards([newCard, oldCard], oldCard.id));

  it('shows the amount of the invoice that was paid', async () => {
    await chooseDefault(anOverduePayment(), { isInvoiceOpen: false });

    await waitFor(() =>
      expect(screen.getByRole('status')).toHaveTextContent(
        'Visa •••• 4242 is your default card now. Your overdue invoice of $39 AUD was paid.',
      ),
    );
  });

  it("offers to pay the invoice another way when the payment provider can't be loaded", async () => {
    serveConfig({ provider: { kind: 'acme', entry: 'card_field' } });
    await chooseDefault(paymentRequiringAction, { isInvoiceOpen: true });

    const status = screen.getByRole('status');
    await waitFor(() =>
      expect(status).toHaveTextContent(
        "Our payment provider can't be reached from here. Nothing was charged. Check your connection.",
      ),
    );
    expect(within(status).getByRole('link', { name: 'Pay it another way' })).toBeVisible();
  });

  it('shows the reason of a decline, the open invoice, and the new default card', async () => {
    const message = 'Your card was declined.';
    await chooseDefault(anOverduePayment({ status: 'declined', message }), { isInvoiceOpen: true });

    const status = screen.getByRole('status');
    await waitFor(() => expect(status).toHaveTextContent(message));
    expect(status).toHaveTextContent(
      'Your invoice of $39 AUD is still open. Visa •••• 4242 is your default card now.',
    );
  });
});
