import type { Stripe } from '@stripe/stripe-js';
import { act, render, renderHook } from '@testing-library/react';
import { stripeProvider, useCardStyle } from './stripe-provider';

/** A card element that never gets ready. */
const card = { mount() {}, destroy() {}, on() {}, off() {}, update() {} };

/** The provider on a Stripe object that answers like this. */
function provider(answers: Partial<Record<keyof Stripe, unknown>>) {
  const calls = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, vi.fn(async () => answer)]),
  );
  const unused = ['createToken', 'createPaymentMethod', 'confirmCardPayment'];
  const elements = { create: () => card, getElement: () => card, update() {} };
  const stripe = {
    ...Object.fromEntries(unused.map((name) => [name, () => Promise.reject(new Error(name))])),
    elements: () => elements,
    ...calls,
  };
  return { calls, ...stripeProvider(stripe as unknown as Stripe) };
}

/** The same with its field in the page. */
function mounted(answers: Partial<Record<keyof Stripe, unknown>>) {
  const made = provider(answers);
  const { Field } = made;
  if (Field) render(<Field className="" disabled={false} onChange={() => {}} />);
  return made;
}

describe('createPaymentMethod', () => {
  it('makes one of the card in the field', async () => {
    const { calls, createPaymentMethod } = mounted({
      createPaymentMethod: { paymentMethod: { id: 'pm_1' } },
    });
    expect(await createPaymentMethod()).toEqual({ ok: true, paymentMethodId: 'pm_1' });
    expect(calls.createPaymentMethod).toHaveBeenCalledWith({ type: 'card', card });
  });

  it("returns the provider's message", async () => {
    const { createPaymentMethod } = mounted({
      createPaymentMethod: { error: { message: 'Your card was declined.' } },
    });
    expect(await createPaymentMethod()).toEqual({ ok: false, message: 'Your card was declined.' });
  });

  it('waits for the field', async () => {
    expect(await provider({}).createPaymentMethod()).toEqual({
      ok: false,
      message: 'The card field is not ready yet. Please try again.',
    });
  });

  it('turns what is thrown, and an error without words, into a sentence', async () => {
    const { createPaymentMethod } = mounted({});
    const unreachable = {
      ok: false,
      message: 'The payment provider could not be reached. Please try again.',
    };
    expect(await createPaymentMethod()).toEqual(unreachable);
    const wordless = mounted({ createPaymentMethod: { error: {} } });
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

const root = document.documentElement;

describe('the style of the card field', () => {
  afterEach(() => root.removeAttribute('style'));

  it("follow the page's tokens, also when the page turns dark", () => {
    const scheme = new EventTarget();
    vi.spyOn(window, 'matchMedia').mockReturnValue(scheme as MediaQueryList);
    root.style.setProperty('--ink', '#10262c');
    const { result } = renderHook(() => useCardStyle());
    expect(result.current?.base).toMatchObject({ color: '#10262c' });

    root.style.setProperty('--ink', '#e6eff0');
    act(() => void scheme.dispatchEvent(new Event('change')));
    expect(result.current?.base).toMatchObject({ color: '#e6eff0' });
  });
});
