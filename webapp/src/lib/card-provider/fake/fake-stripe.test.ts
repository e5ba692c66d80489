import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { server } from '@/testing/server';
import { fakeStripe } from './fake-stripe';

const stripe = fakeStripe();
const secret = 'pi_1_secret_x';

/** A mounted card field that holds a card. */
async function cardField(number = '4242424242424242', expiry = '1234', cvc = '123') {
  const place = document.createElement('div');
  document.body.replaceChildren(place);
  const elements = stripe.elements();
  const card = elements.create('card');
  card.mount(place);
  if (number) await userEvent.type(screen.getByLabelText('Card number'), number);
  if (expiry) await userEvent.type(screen.getByLabelText('Expiry'), expiry);
  if (cvc) await userEvent.type(screen.getByLabelText('CVC'), cvc);
  return card;
}

/** What the face was asked to confirm with, in order; it answers with the given intents in turn. */
function confirms(...answers: object[]) {
  const asked: unknown[] = [];
  server.use(
    http.post(`/dev/payments/intents/${secret}/confirm`, async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json(answers[asked.length - 1]);
    }),
  );
  return asked;
}

function intentIs(status: string) {
  server.use(
    http.get(`/dev/payments/intents/${secret}`, () => HttpResponse.json({ id: 'pi_1', status })),
  );
}

describe('createPaymentMethod', () => {
  it('hands the card to the provider', async () => {
    let asked: unknown;
    server.use(
      http.post('/dev/payments/payment_methods', async ({ request }) => {
        asked = await request.json();
        return HttpResponse.json({ id: 'pm_1', card: { last4: '4242' } });
      }),
    );
    const card = await cardField();
    expect(await stripe.createPaymentMethod({ type: 'card', card })).toEqual({
      paymentMethod: { id: 'pm_1', card: { last4: '4242' } },
    });
    expect(asked).toEqual({
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' },
    });
  });

  it('answers with what is the matter, without asking the provider', async () => {
    const card = await cardField('4242', '', '');
    expect(await stripe.createPaymentMethod({ type: 'card', card })).toEqual({
      error: {
        type: 'validation_error',
        code: 'incomplete_number',
        message: 'Your card number is incomplete.',
      },
    });
    expect(screen.getByLabelText('Card number')).toHaveFocus();
  });

  it('returns the message of a refusal', async () => {
    const error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' };
    server.use(
      http.post('/dev/payments/payment_methods', () =>
        HttpResponse.json({ error }, { status: 402 }),
      ),
    );
    const card = await cardField('4000000000000002');
    expect(await stripe.createPaymentMethod({ type: 'card', card })).toEqual({ error });
  });

  it('returns a connection error when the provider is unreachable', async () => {
    server.use(http.post('/dev/payments/payment_methods', () => HttpResponse.error()));
    const card = await cardField();
    expect(await stripe.createPaymentMethod({ type: 'card', card })).toMatchObject({
      error: { type: 'api_connection_error', message: expect.stringMatching(/try again/) },
    });
  });

  it('treats a response that is not JSON as no response', async () => {
    server.use(
      http.post('/dev/payments/payment_methods', () => new HttpResponse('oops', { status: 502 })),
    );
    const card = await cardField();
    expect(await stripe.createPaymentMethod({ type: 'card', card })).toMatchObject({
      error: { type: 'api_connection_error' },
    });
  });
});

describe('confirming', () => {
  it('asks nothing when there is nothing left to do', async () => {
    intentIs('succeeded');
    expect(await stripe.confirmCardPayment(secret)).toEqual({
      paymentIntent: { id: 'pi_1', status: 'succeeded' },
    });
  });

  it('asks the bank, and is completed', async () => {
    intentIs('requires_action');
    const asked = confirms({ id: 'pi_1', status: 'succeeded' });
    const answer = stripe.confirmCardPayment(secret);
    const dialog = await screen.findByRole('dialog', { name: 'Is this you?' });
    expect(within(dialog).getByRole('button', { name: 'Complete' })).toHaveFocus();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Complete' }));
    expect(await answer).toEqual({ paymentIntent: { id: 'pi_1', status: 'succeeded' } });
    expect(asked).toEqual([{ outcome: 'complete' }]);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it.each([
    ['Fail', (dialog: HTMLElement) => userEvent.click(within(dialog).getByText('Fail'))],
    ['Escape', async (dialog: HTMLElement) => (dialog as HTMLDialogElement).close()],
    ['leaving the page', async () => void window.dispatchEvent(new PopStateEvent('popstate'))],
  ])('is refused by %s', async (_name, leave) => {
    intentIs('requires_action');
    const last_payment_error = { type: 'card_error', message: 'We are unable to authenticate.' };
    const asked = confirms({ id: 'pi_1', status: 'requires_payment_method', last_payment_error });
    const answer = stripe.confirmCardPayment(secret);
    await leave(await screen.findByRole('dialog'));
    expect(await answer).toEqual({ error: last_payment_error });
    expect(asked).toEqual([{ outcome: 'fail' }]);
  });

  it('tries another card, which may have its own question', async () => {
    const asked = confirms(
      { id: 'pi_1', status: 'requires_action' },
      { id: 'pi_1', status: 'succeeded' },
    );
    const answer = stripe.confirmCardPayment(secret, { payment_method: 'pm_2' });
    await userEvent.click(await screen.findByRole('button', { name: 'Complete' }));
    await answer;
    expect(asked).toEqual([{ payment_method: 'pm_2' }, { outcome: 'complete' }]);
  });

  it('tries a payment without a card again with the default one', async () => {
    intentIs('requires_payment_method');
    const asked = confirms({ id: 'pi_1', status: 'succeeded' });
    await stripe.confirmCardPayment(secret);
    expect(asked).toEqual([{}]);
  });

  it('answers in the shape of a card set up for later', async () => {
    intentIs('requires_action');
    const last_setup_error = { type: 'invalid_request_error', message: 'No.' };
    confirms({ id: 'seti_1', status: 'requires_payment_method', last_setup_error });
    const answer = stripe.confirmCardSetup(secret);
    await userEvent.click(await screen.findByRole('button', { name: 'Fail' }));
    expect(await answer).toEqual({ error: last_setup_error });
    intentIs('succeeded');
    await waitFor(async () =>
      expect(await stripe.confirmCardSetup(secret)).toHaveProperty('setupIntent.id', 'pi_1'),
    );
  });

  it('returns a decline', async () => {
    const error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' };
    server.use(
      http.post(`/dev/payments/intents/${secret}/confirm`, () =>
        HttpResponse.json({ error }, { status: 402 }),
      ),
    );
    expect(await stripe.confirmCardPayment(secret, { payment_method: 'pm_3' })).toEqual({ error });
  });
});

describe('the elements of a page', () => {
  it('are found by name and by component as long as they live', () => {
    const elements = stripe.elements();
    expect(elements.getElement('card')).toBeNull();
    const first = elements.create('card');
    const second = elements.create('card');
    first.destroy();
    expect(elements.getElement({ __elementType: 'card' })).toBe(second);
    expect(elements.getElement({ __elementType: 'iban' })).toBeNull();
    second.destroy();
    expect(elements.getElement('card')).toBeNull();
  });

  it('are cards and nothing else', async () => {
    expect(() => stripe.elements().create('iban')).toThrow('no iban element');
    expect(await stripe.createToken()).toHaveProperty('error');
  });
});
