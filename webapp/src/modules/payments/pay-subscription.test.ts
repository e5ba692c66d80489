import { ApiError } from '@/api';
import { aNextAction, aSubscription } from '@/testing/fixtures';
import { failure, newCardProvider, pay, refuse, rememberDecline } from './testing';

describe('the card in the field', () => {
  it('is sent as a payment method', async () => {
    const { result, call } = pay(aSubscription({ status: 'active' }));
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(call).toHaveBeenCalledExactlyOnceWith({ paymentMethodId: 'pm_1' });
  });

  it("is not sent if the provider refuses it, and the provider's message is returned for the card", async () => {
    const cardProvider = newCardProvider({
      createPaymentMethod: refuse('Your card number is incomplete.'),
    });
    const { result, call } = pay(aSubscription({ status: 'active' }), { cardProvider });
    expect(await result).toEqual(failure('Your card number is incomplete.', { scope: 'card' }));
    expect(call).not.toHaveBeenCalled();
  });

  it('is not used when the default card is charged', async () => {
    const { result, call, cardProvider } = pay(aSubscription({ status: 'active' }), {
      card: 'default',
    });
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(call).toHaveBeenCalledExactlyOnceWith({});
    expect(cardProvider.createPaymentMethod).not.toHaveBeenCalled();
  });
});

describe('a response with the fields of the specification', () => {
  it.each(['active', 'trialing'] as const)(
    'with the status %s is a success, and the stored invoice is removed',
    async (status) => {
      rememberDecline();
      const { result } = pay(aSubscription({ status }));
      expect(await result).toEqual({ kind: 'succeeded' });
      expect(localStorage).toHaveLength(0);
    },
  );

  it('with a processing payment is processing, and the stored invoice is kept', async () => {
    rememberDecline();
    const { result } = pay(aSubscription({ payment: 'processing' }));
    expect(await result).toEqual({ kind: 'processing' });
    expect(localStorage).toHaveLength(2);
  });

  it('without a payment is a failure with the general message', async () => {
    expect(await pay(aSubscription({ status: 'canceled' })).result).toEqual(
      failure('Interval Server Error'),
    );
  });

  it('with a payment that requires a payment method is a decline, and the invoice is stored', async () => {
    const { result, cardProvider } = pay(aSubscription({ payment: 'requires_payment_method' }));
    expect(await result).toEqual(failure('Your card was declined.'));
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_1');
    expect(localStorage.getItem('latestInvoicePaymentIntentStatus')).toBe(
      'requires_payment_method',
    );
    expect(cardProvider.confirmPayment).not.toHaveBeenCalled();
  });
});

describe('the outcome that the server reports', () => {
  it('takes precedence over the status of the subscription and of its payment', async () => {
    const active = aSubscription({ status: 'active', payment: 'succeeded', outcome: 'processing' });
    expect(await pay(active).result).toEqual({ kind: 'processing' });
  });

  it('is confirmed with the secret of the next action', async () => {
    const next = aNextAction({ kind: 'new_payment_method', secret: 'next_secret' });
    const { result, cardProvider } = pay(aSubscription({ outcome: 'confirm_payment', next }));
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(cardProvider.confirmPayment).toHaveBeenCalledExactlyOnceWith('next_secret', 'pm_1');
  });

  it('redirects to an https URL of the provider, and fails for a javascript URL', async () => {
    const next = aNextAction({ kind: 'redirect', url: 'https://pay.example/1' });
    expect(await pay(aSubscription({ outcome: 'redirect', next })).result).toEqual({
      kind: 'redirect',
      url: 'https://pay.example/1',
    });
    const script = { ...next, url: 'javascript:alert(1)' };
    expect(await pay(aSubscription({ outcome: 'redirect', next: script })).result).toMatchObject({
      kind: 'failed',
    });
  });

  it('contains the instructions for a payment outside of the browser', async () => {
    const instructions = [{ label: 'Reference', value: 'INV-1' }];
    const next = aNextAction({ kind: 'wait', instructions });
    expect(await pay(aSubscription({ outcome: 'processing', next })).result).toEqual({
      kind: 'processing',
      next,
    });
  });
});

describe('a payment that requires authentication', () => {
  const subscription = aSubscription({ payment: 'requires_action' });

  it('is confirmed without another card', async () => {
    const { result, cardProvider } = pay(subscription);
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(cardProvider.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', undefined);
  });

  it('returns processing when the payment is processing after the authentication', async () => {
    const confirmPayment = async () => ({ ok: true, status: 'processing' }) as const;
    expect(
      await pay(subscription, { cardProvider: newCardProvider({ confirmPayment }) }).result,
    ).toEqual({
      kind: 'processing',
    });
  });

  it("fails with the provider's message", async () => {
    const cardProvider = newCardProvider({
      confirmPayment: refuse('We are unable to authenticate.'),
    });
    expect(await pay(subscription, { cardProvider }).result).toEqual(
      failure('We are unable to authenticate.', { unauthenticated: true }),
    );
    expect(localStorage).toHaveLength(0);
  });

  it('fails when it still requires an action after the confirmation', async () => {
    const confirmPayment = async () => ({ ok: true, status: 'requires_action' }) as const;
    expect(
      await pay(subscription, { cardProvider: newCardProvider({ confirmPayment }) }).result,
    ).toEqual(failure('Your card could not be authenticated.', { unauthenticated: true }));
  });

  it('fails without a client secret', async () => {
    const { result, cardProvider } = pay(aSubscription({ payment: 'requires_action', secret: '' }));
    expect(await result).toMatchObject({ kind: 'failed' });
    expect(cardProvider.confirmPayment).not.toHaveBeenCalled();
  });
});

describe('a retry of a declined invoice', () => {
  beforeEach(rememberDecline);
  const declinedSubscription = aSubscription({ payment: 'requires_payment_method' });

  it('sends the id of the invoice', async () => {
    const { result, call } = pay(aSubscription({ outcome: 'succeeded' }));
    await result;
    expect(call).toHaveBeenCalledExactlyOnceWith({
      paymentMethodId: 'pm_1',
      retryInvoiceId: 'in_1',
    });
  });

  it('sends no invoice id if the server does not retry invoices', async () => {
    const { result, call } = pay(aSubscription({ status: 'active' }), { retriesInvoice: false });
    await result;
    expect(call).toHaveBeenCalledExactlyOnceWith({ paymentMethodId: 'pm_1' });
  });

  it('is confirmed with the new card, and removes the stored invoice', async () => {
    const { result, cardProvider } = pay(declinedSubscription);
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(cardProvider.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', 'pm_1');
    expect(localStorage).toHaveLength(0);
  });

  it('is confirmed without a card when the default card is charged', async () => {
    const { cardProvider, result } = pay(declinedSubscription, { card: 'default' });
    await result;
    expect(cardProvider.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', undefined);
  });

  it('is confirmed with the default card if its id is known', async () => {
    const { cardProvider, result } = pay(declinedSubscription, {
      card: 'default',
      defaultCardId: 'pm_0',
    });
    await result;
    expect(cardProvider.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', 'pm_0');
  });

  it("fails with 'retry payment later' and the reason when the new card is declined", async () => {
    const cardProvider = newCardProvider({
      confirmPayment: refuse('Your card has insufficient funds.'),
    });
    expect(await pay(declinedSubscription, { cardProvider }).result).toEqual(
      failure('retry payment later', { reason: 'Your card has insufficient funds.' }),
    );
    expect(localStorage).toHaveLength(2);
  });

  it("fails with 'retry payment later' without a client secret", async () => {
    const subscription = aSubscription({ payment: 'requires_payment_method', secret: '' });
    expect(await pay(subscription).result).toMatchObject({ message: 'retry payment later' });
  });

  it("fails with 'retry payment later' and the reason of a decline without a client secret", async () => {
    const next = aNextAction({
      kind: 'new_payment_method',
      reason: 'Your card has insufficient funds.',
    });
    const subscription = aSubscription({
      payment: 'requires_payment_method',
      secret: '',
      outcome: 'confirm_payment',
      next,
    });
    expect(await pay(subscription).result).toEqual(
      failure('retry payment later', { reason: 'Your card has insufficient funds.' }),
    );
  });

  it("fails with 'retry payment later' when the subscription has expired", async () => {
    const subscription = aSubscription({ status: 'incomplete_expired', payment: 'canceled' });
    expect(await pay(subscription).result).toEqual(failure('retry payment later'));
  });

  it('returns processing when the payment is processing', async () => {
    const confirmPayment = async () => ({ ok: true, status: 'processing' }) as const;
    const { result } = pay(declinedSubscription, {
      cardProvider: newCardProvider({ confirmPayment }),
    });
    expect(await result).toEqual({ kind: 'processing' });
  });

  it('does not apply to another invoice', async () => {
    const payment_intent = declinedSubscription.latest_invoice?.payment_intent ?? null;
    const { result, cardProvider } = pay({
      ...declinedSubscription,
      latest_invoice: { id: 'in_2', payment_intent },
    });
    expect(await result).toEqual(failure('Your card was declined.'));
    expect(cardProvider.confirmPayment).not.toHaveBeenCalled();
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_2');
  });
});

describe('a call that fails', () => {
  const serverError = (name: string, status: number, inProgress = false) =>
    new ApiError(name, 'The server message.', { status, hasServerMessage: true, inProgress });

  it("fails with the server's message and a known outcome when the server refuses it", async () => {
    const { result, isDone } = pay(serverError('ERRCARD', 402));
    expect(await result).toEqual(failure('The server message.'));
    expect(isDone).not.toHaveBeenCalled();
  });

  it.each([
    ['a lost response', new ApiError('ECONNABORTED', 'timeout of 60000ms exceeded')],
    ['an error of a proxy', new ApiError('ERR_BAD_RESPONSE', 'No.', { status: 504 })],
    ['an error of the provider', serverError('ERRPROVIDER', 502)],
    ['an earlier attempt that is still processed', serverError('ERRCONFLICT', 409, true)],
    [
      'a response that is no subscription',
      new ApiError('ERRUNKNOWN', 'OK', { status: 200, hasServerMessage: true, isMalformed: true }),
    ],
  ])('has an unknown outcome after %s', async (_name, error) => {
    expect(await pay(error).result).toEqual(failure(error.message, { isOutcomeKnown: false }));
  });

  it.each([
    ['a lost response', new ApiError('ERR_NETWORK', 'Network Error')],
    ['a conflict with another tab', serverError('ERRCONFLICT', 409)],
  ])('succeeds after %s when the requested change was made', async (_name, error) => {
    rememberDecline();
    expect(await pay(error, { isDone: async () => true }).result).toEqual({ kind: 'succeeded' });
    expect(localStorage).toHaveLength(0);
  });

  it('fails after a conflict when the requested change was not made', async () => {
    expect(await pay(serverError('ERRCONFLICT', 409)).result).toEqual(
      failure('The server message.'),
    );
  });

  it('has an unknown outcome when the check whether the change was made fails too', async () => {
    const isDone = () => Promise.reject(new Error('Network Error'));
    expect(await pay(new ApiError('ERR_NETWORK', 'Network Error'), { isDone }).result).toEqual(
      failure('Network Error', { isOutcomeKnown: false }),
    );
  });

  it('fails with the general message for an error without a message', async () => {
    expect(await pay(new ApiError('ERRUNKNOWN', '')).result).toMatchObject({
      message: 'Interval Server Error',
    });
  });
});
