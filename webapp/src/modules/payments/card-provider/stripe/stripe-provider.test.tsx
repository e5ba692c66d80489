import type { Stripe } from '@stripe/stripe-js';
import { act, render, renderHook } from '@testing-library/react';
import { stripeProvider, useCardStyle } from './stripe-provider';

/** A card element that never reports an event. */
const cardElement = { mount() {}, destroy() {}, on() {}, off() {}, update() {} };

/** Returns the provider with a stub of Stripe.js. Its methods return these results; all others reject. */
function newProvider(results: Partial<Record<keyof Stripe, unknown>>) {
  const calls = Object.fromEntries(
    Object.entries(results).map(([name, result]) => [name, vi.fn(async () => result)]),
  );
  const otherMethods = ['createToken', 'createPaymentMethod', 'confirmCardPayment'];
  const elements = { create: () => cardElement, getElement: () => cardElement, update() {} };
  const stripe = {
    ...Object.fromEntries(
      otherMethods.map((name) => [name, () => Promise.reject(new Error(name))]),
    ),
    elements: () => elements,
    ...calls,
  };
  return { calls, ...stripeProvider(stripe as unknown as Stripe) };
}

/** Returns the provider with its card field rendered. */
function renderProvider(results: Partial<Record<keyof Stripe, unknown>>) {
  const provider = newProvider(results);
  const { Field } = provider;
  if (Field) render(<Field className="" disabled={false} onChange={() => {}} />);
  return provider;
}

describe('createPaymentMethod', () => {
  it('creates a payment method from the card field', async () => {
    const { calls, createPaymentMethod } = renderProvider({
      createPaymentMethod: { paymentMethod: { id: 'pm_1' } },
    });
    expect(await createPaymentMethod()).toEqual({ ok: true, paymentMethodId: 'pm_1' });
    expect(calls.createPaymentMethod).toHaveBeenCalledWith({ type: 'card', card: cardElement });
  });

  it("returns the provider's message", async () => {
    const { createPaymentMethod } = renderProvider({
      createPaymentMethod: { error: { message: 'Your card was declined.' } },
    });
    expect(await createPaymentMethod()).toEqual({ ok: false, message: 'Your card was declined.' });
  });

  it('fails before the field is rendered', async () => {
    expect(await newProvider({}).createPaymentMethod()).toEqual({
      ok: false,
      message: 'The card field is not ready yet. Please try again.',
    });
  });

  it('fails when Stripe.js never answers', async () => {
    vi.useFakeTimers();
    const { createPaymentMethod } = renderProvider({ createPaymentMethod: new Promise(() => {}) });
    const result = createPaymentMethod();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await result).toMatchObject({
      ok: false,
      message: expect.stringContaining('could not be reached'),
    });
  });

  it('returns a general message if Stripe.js throws, or reports an error without a message', async () => {
    const { createPaymentMethod } = renderProvider({});
    const failure = {
      ok: false,
      message: 'The payment provider could not be reached. Please try again.',
    };
    expect(await createPaymentMethod()).toEqual(failure);
    const otherProvider = renderProvider({ createPaymentMethod: { error: {} } });
    expect(await otherProvider.createPaymentMethod()).toEqual(failure);
  });
});

describe.each([
  ['confirmPayment', 'confirmCardPayment', 'paymentIntent'],
  ['confirmSetup', 'confirmCardSetup', 'setupIntent'],
] as const)('%s', (method, call, intent) => {
  it('returns the status of the intent', async () => {
    const provider = newProvider({ [call]: { [intent]: { status: 'succeeded' } } });
    expect(await provider[method]('secret')).toEqual({ ok: true, status: 'succeeded' });
    expect(provider.calls[call]).toHaveBeenCalledWith('secret', undefined);
  });

  it('confirms with another card if its id is given', async () => {
    const provider = newProvider({ [call]: { [intent]: { status: 'processing' } } });
    expect(await provider[method]('secret', 'pm_2')).toEqual({ ok: true, status: 'processing' });
    expect(provider.calls[call]).toHaveBeenCalledWith('secret', { payment_method: 'pm_2' });
  });

  it("returns the provider's message", async () => {
    const provider = newProvider({ [call]: { error: { message: 'No.' } } });
    expect(await provider[method]('secret')).toEqual({ ok: false, message: 'No.' });
  });

  it.each([
    ['throws', {}],
    ['loses the connection', { [call]: { error: { type: 'api_connection_error' } } }],
  ])('rejects when Stripe.js %s, because the outcome is unknown', async (_, results) => {
    const confirmation = newProvider(results)[method]('secret');
    await expect(confirmation).rejects.toThrow('The payment provider has not answered.');
  });

  it('rejects when Stripe.js never answers', async () => {
    vi.useFakeTimers();
    const confirmation = newProvider({ [call]: new Promise(() => {}) })[method]('secret');
    const rejection = expect(confirmation).rejects.toThrow('has not answered');
    await vi.advanceTimersByTimeAsync(6 * 60_000);
    await rejection;
  });
});

const root = document.documentElement;

describe('the style of the card field', () => {
  afterEach(() => root.removeAttribute('style'));

  it("follows the page's colours when the page turns dark", () => {
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
