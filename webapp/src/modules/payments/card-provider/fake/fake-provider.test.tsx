import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { serveCreatePaymentMethod } from '@/testing/card-provider';
import { servePost } from '@/testing/handlers';
import { server } from '@/testing/server';
import { fakeProvider } from './fake-provider';

const provider = fakeProvider();
const secret = 'pi_1_secret_x';
const unreachableMessage =
  'We are experiencing issues connecting to our payments provider. Please try again.';

/** Renders the card field and types this card. */
async function renderCard(number = '4242424242424242', expiry = '1234', cvc = '123') {
  const { Field } = provider;
  if (Field) render(<Field className="" disabled={false} onChange={() => {}} />);
  await userEvent.type(screen.getByLabelText('Card number'), number);
  if (expiry) await userEvent.type(screen.getByLabelText('Expiry'), expiry);
  if (cvc) await userEvent.type(screen.getByLabelText('CVC'), cvc);
}

/** Responds to the confirm requests with these intents in turn, and returns the request bodies. */
const serveConfirm = (...responses: object[]) =>
  servePost(`/dev/payments/intents/${secret}/confirm`, () => HttpResponse.json(responses.shift()));

function serveIntent(status: string) {
  server.use(
    http.get(`/dev/payments/intents/${secret}`, () => HttpResponse.json({ id: 'pi_1', status })),
  );
}

describe('createPaymentMethod', () => {
  it('sends the card to the provider', async () => {
    const requests = servePost('/dev/payments/payment_methods', () =>
      HttpResponse.json({ id: 'pm_1' }),
    );
    await renderCard();
    expect(await provider.createPaymentMethod()).toEqual({ ok: true, paymentMethodId: 'pm_1' });
    expect(requests).toEqual([
      { card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' } },
    ]);
  });

  it('reports an invalid card without a request', async () => {
    await renderCard('4242', '', '');
    expect(await provider.createPaymentMethod()).toEqual({
      ok: false,
      message: 'Your card number is incomplete.',
    });
    expect(screen.getByLabelText('Card number')).toHaveFocus();
  });

  it('returns the message of a refusal', async () => {
    serveCreatePaymentMethod({ message: 'Your card was declined.' });
    await renderCard('4000000000000002');
    expect(await provider.createPaymentMethod()).toEqual({
      ok: false,
      message: 'Your card was declined.',
    });
  });

  it.each([
    ['no response', () => HttpResponse.error()],
    ['a response that is not JSON', () => new HttpResponse('oops', { status: 502 })],
  ])('reports a connection problem after %s', async (_name, respond) => {
    server.use(http.post('/dev/payments/payment_methods', respond));
    await renderCard();
    expect(await provider.createPaymentMethod()).toEqual({
      ok: false,
      message: unreachableMessage,
    });
  });
});

describe('confirmPayment and confirmSetup', () => {
  it('send no confirmation of a payment that has succeeded', async () => {
    serveIntent('succeeded');
    expect(await provider.confirmPayment(secret)).toEqual({ ok: true, status: 'succeeded' });
  });

  it('complete a payment after its authentication', async () => {
    serveIntent('requires_action');
    const requests = serveConfirm({ id: 'pi_1', status: 'succeeded' });
    const result = provider.confirmPayment(secret);
    const dialog = await screen.findByRole('dialog', { name: 'Is this you?' });
    expect(within(dialog).getByRole('button', { name: 'Complete' })).toHaveFocus();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Complete' }));
    expect(await result).toEqual({ ok: true, status: 'succeeded' });
    expect(requests).toEqual([{ outcome: 'complete' }]);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it.each([
    ['Fail', (dialog: HTMLElement) => userEvent.click(within(dialog).getByText('Fail'))],
    ['Escape', async (dialog: HTMLElement) => (dialog as HTMLDialogElement).close()],
    ['going back', async () => void window.dispatchEvent(new PopStateEvent('popstate'))],
  ])('fail after %s in the dialog', async (_name, leave) => {
    serveIntent('requires_action');
    const last_payment_error = { type: 'card_error', message: 'We are unable to authenticate.' };
    const requests = serveConfirm({
      id: 'pi_1',
      status: 'requires_payment_method',
      last_payment_error,
    });
    const result = provider.confirmPayment(secret);
    await leave(await screen.findByRole('dialog'));
    expect(await result).toEqual({ ok: false, message: 'We are unable to authenticate.' });
    expect(requests).toEqual([{ outcome: 'fail' }]);
  });

  it('confirm with another card, which may require authentication', async () => {
    const requests = serveConfirm(
      { id: 'pi_1', status: 'requires_action' },
      { id: 'pi_1', status: 'succeeded' },
    );
    const result = provider.confirmPayment(secret, 'pm_2');
    await userEvent.click(await screen.findByRole('button', { name: 'Complete' }));
    await result;
    expect(requests).toEqual([{ payment_method: 'pm_2' }, { outcome: 'complete' }]);
  });

  it('confirm a payment that requires a payment method with the default card', async () => {
    serveIntent('requires_payment_method');
    const requests = serveConfirm({ id: 'pi_1', status: 'succeeded' });
    await provider.confirmPayment(secret);
    expect(requests).toEqual([{}]);
  });

  it('return the reason why a card could not be set up', async () => {
    serveIntent('requires_action');
    const last_setup_error = { type: 'invalid_request_error', message: 'No.' };
    serveConfirm({ id: 'seti_1', status: 'requires_payment_method', last_setup_error });
    const result = provider.confirmSetup(secret);
    await userEvent.click(await screen.findByRole('button', { name: 'Fail' }));
    expect(await result).toEqual({ ok: false, message: 'No.' });
  });

  it('return the message of a decline', async () => {
    const error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' };
    server.use(
      http.post(`/dev/payments/intents/${secret}/confirm`, () =>
        HttpResponse.json({ error }, { status: 402 }),
      ),
    );
    expect(await provider.confirmPayment(secret, 'pm_3')).toEqual({
      ok: false,
      message: 'Your card was declined.',
    });
  });
});
