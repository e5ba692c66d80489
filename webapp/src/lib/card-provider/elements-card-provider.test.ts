import type { Stripe, StripeElements } from '@stripe/stripe-js';
import { elementsCardProvider } from './elements-card-provider';

const card = {};

function provider(answers: Partial<Record<keyof Stripe, unknown>>, field: object | null = card) {
  const calls = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, vi.fn(async () => answer)]),
  );
  const elements = { getElement: () => field } as unknown as StripeElements;
  return { calls, ...elementsCardProvider(calls as unknown as Stripe, elements) };
}

describe('createPaymentMethod', () => {
  it('makes one of the card in the field', async () => {
    const { calls, createPaymentMethod } = provider({
      createPaymentMethod: { paymentMethod: { id: 'pm_1' } },
    });
    expect(await createPaymentMethod()).toEqual({ ok: true, paymentMethodId: 'pm_1' });
    expect(calls.createPaymentMethod).toHaveBeenCalledWith({ type: 'card', card });
  });

  it("returns the provider's message", async () => {
    const { createPaymentMethod } = provider({
      createPaymentMethod: { error: { message: 'Your card was declined.' } },
    });
    expect(await createPaymentMethod()).toEqual({ ok: false, message: 'Your card was declined.' });
  });

  it('waits for the field', async () => {
    expect(await provider({}, null).createPaymentMethod()).toEqual({
      ok: false,
      message: 'The card field is not ready yet. Please try again.',
    });
  });

  it('turns what is thrown, and an error without words, into a sentence', async () => {
    const { createPaymentMethod } = provider({});
    const unreachable = {
      ok: false,
      message: 'The payment provider could not be reached. Please try again.',
    };
    expect(await createPaymentMethod()).toEqual(unreachable);
    const wordless = provider({ createPaymentMethod: { error: {} } });
    expect(await wordless.createPaymentMethod()).toEqual(unreachable);
  });
});

describe.each([
  ['confirmPayment', 'confirmCardPayment', 'paymentIntent'],
  ['confirmSetup', 'confirmCardSetup', 'setupIntent'],
] as const)('%s', (method, call, intent) => {
  it('returns the status of the intent', async () => {
    const answered = provider({ [call]: { [intent]: { status: 'succeeded' } } });
    expect(await answered[method]('secret')).toEqual({ ok: true, status: 'succeeded' });
    expect(answered.calls[call]).toHaveBeenCalledWith('secret', undefined);
  });

  it('uses another card when one is named', async () => {
    const answered = provider({ [call]: { [intent]: { status: 'processing' } } });
    expect(await answered[method]('secret', 'pm_2')).toEqual({ ok: true, status: 'processing' });
    expect(answered.calls[call]).toHaveBeenCalledWith('secret', { payment_method: 'pm_2' });
  });

  it("returns the provider's message", async () => {
    const answered = provider({ [call]: { error: { message: 'No.' } } });
    expect(await answered[method]('secret')).toEqual({ ok: false, message: 'No.' });
  });

  it('returns an error instead of throwing', async () => {
    expect(await provider({})[method]('secret')).toMatchObject({ ok: false });
  });
});
