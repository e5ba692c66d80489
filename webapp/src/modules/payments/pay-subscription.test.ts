import { ApiError, type Subscription } from '@/api';
import { aNextAction, aSubscription } from '@/testing/fixtures';
import { cardsOf, failure, onTrial, refused, rememberDecline, run } from './testing';

describe('the card', () => {
  it('becomes a payment method that the call contains', async () => {
    const { result, call } = run(aSubscription({ status: 'active' }));
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(call).toHaveBeenCalledExactlyOnceWith({ paymentMethodId: 'pm_1' });
  });

  it('that the provider rejects is not sent, and its message is shown at the card', async () => {
    const cards = cardsOf({ createPaymentMethod: refused('Your card number is incomplete.') });
    const { result, call } = run(aSubscription({ status: 'active' }), { cards });
    expect(await result).toEqual(failure('Your card number is incomplete.', { scope: 'card' }));
    expect(call).not.toHaveBeenCalled();
  });

  it('is not created when the default card pays', async () => {
    const { result, call, cards } = run(aSubscription({ status: 'active' }), { card: 'default' });
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(call).toHaveBeenCalledExactlyOnceWith({});
    expect(cards.createPaymentMethod).not.toHaveBeenCalled();
  });
});

describe('an outcome', () => {
  it.each(['active', 'trialing'] as const)(
    '%s is success and forgets the invoice',
    async (status) => {
      rememberDecline();
      const { result } = run(aSubscription({ status }));
      expect(await result).toEqual({ kind: 'succeeded' });
      expect(localStorage).toHaveLength(0);
    },
  );

  it('processing is neither success nor failure', async () => {
    rememberDecline();
    const { result } = run(aSubscription({ payment: 'processing' }));
    expect(await result).toEqual({ kind: 'processing' });
    expect(localStorage).toHaveLength(2);
  });

  it('without a next action fails with the general message', async () => {
    expect(await run(aSubscription({ status: 'canceled' })).result).toEqual(
      failure('Interval Server Error'),
    );
  });

  it('requires_payment_method is a declined card, and is remembered', async () => {
    const { result, cards } = run(aSubscription({ payment: 'requires_payment_method' }));
    expect(await result).toEqual(failure('Your card was declined.'));
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_1');
    expect(localStorage.getItem('latestInvoicePaymentIntentStatus')).toBe(
      'requires_payment_method',
    );
    expect(cards.confirmPayment).not.toHaveBeenCalled();
  });
});

describe('the outcome that the server reports', () => {
  it('precedes the status of the subscription and of its payment', async () => {
    const active = aSubscription({ status: 'active', payment: 'succeeded', outcome: 'processing' });
    expect(await run(active).result).toEqual({ kind: 'processing' });
  });

  it('is confirmed with the secret of the next action', async () => {
    const next = aNextAction({ kind: 'new_payment_method', secret: 'next_secret' });
    const { result, cards } = run(aSubscription({ outcome: 'confirm_payment', next }));
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('next_secret', 'pm_1');
  });

  it('names the declined invoice in the next call', async () => {
    rememberDecline();
    const { result, call } = run(aSubscription({ outcome: 'succeeded' }));
    await result;
    expect(call).toHaveBeenCalledExactlyOnceWith({
      paymentMethodId: 'pm_1',
      retryInvoiceId: 'in_1',
    });
  });

  it('names no invoice for a server that does not continue it', async () => {
    rememberDecline();
    const { result, call } = run(aSubscription({ status: 'active' }), { retriesInvoice: false });
    await result;
    expect(call).toHaveBeenCalledExactlyOnceWith({ paymentMethodId: 'pm_1' });
  });

  it('redirects to the page of the provider', async () => {
    const next = aNextAction({ kind: 'redirect', url: 'https://pay.example/1' });
    expect(await run(aSubscription({ outcome: 'redirect', next })).result).toEqual({
      kind: 'redirect',
      url: 'https://pay.example/1',
    });
    const script = { ...next, url: 'javascript:alert(1)' };
    expect(await run(aSubscription({ outcome: 'redirect', next: script })).result).toMatchObject({
      kind: 'failed',
    });
  });

  it('contains the instructions for a payment outside of the browser', async () => {
    const instructions = [{ label: 'Reference', value: 'INV-1' }];
    const next = aNextAction({ kind: 'wait', instructions });
    expect(await run(aSubscription({ outcome: 'processing', next })).result).toEqual({
      kind: 'processing',
      next,
    });
  });
});

describe('a payment that requires authentication', () => {
  const wanting = aSubscription({ payment: 'requires_action' });

  it('is confirmed with the card it has', async () => {
    const { result, cards } = run(wanting);
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', undefined);
  });

  it('may be processing after the authentication', async () => {
    const confirmPayment = async () => ({ ok: true, status: 'processing' }) as const;
    expect(await run(wanting, { cards: cardsOf({ confirmPayment }) }).result).toEqual({
      kind: 'processing',
    });
  });

  it("fails with the provider's message", async () => {
    const cards = cardsOf({ confirmPayment: refused('We are unable to authenticate.') });
    expect(await run(wanting, { cards }).result).toEqual(
      failure('We are unable to authenticate.', { unauthenticated: true }),
    );
    expect(localStorage).toHaveLength(0);
  });

  it('fails when it is still open afterwards', async () => {
    const confirmPayment = async () => ({ ok: true, status: 'requires_action' }) as const;
    expect(await run(wanting, { cards: cardsOf({ confirmPayment }) }).result).toEqual(
      failure('Your card could not be authenticated.', { unauthenticated: true }),
    );
  });

  it('fails without a client secret', async () => {
    const { result, cards } = run(aSubscription({ payment: 'requires_action', secret: '' }));
    expect(await result).toMatchObject({ kind: 'failed' });
    expect(cards.confirmPayment).not.toHaveBeenCalled();
  });
});

describe('a retry of a declined invoice', () => {
  beforeEach(rememberDecline);
  const declined = aSubscription({ payment: 'requires_payment_method' });

  it('is confirmed with the new card, and then forgotten', async () => {
    const { result, cards } = run(declined);
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', 'pm_1');
    expect(localStorage).toHaveLength(0);
  });

  it('sends no card when the default one is charged', async () => {
    const { cards, result } = run(declined, { card: 'default' });
    await result;
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', undefined);
  });

  it('is confirmed with the default card if it is known', async () => {
    const { cards, result } = run(declined, { card: 'default', defaultCard: 'pm_0' });
    await result;
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', 'pm_0');
  });

  it("that is declined shows 'retry payment later' and the reason", async () => {
    const cards = cardsOf({ confirmPayment: refused('Your card has insufficient funds.') });
    expect(await run(declined, { cards }).result).toEqual(
      failure('retry payment later', { reason: 'Your card has insufficient funds.' }),
    );
    expect(localStorage).toHaveLength(2);
  });

  it('without a client secret shows the same message', async () => {
    const lost = aSubscription({ payment: 'requires_payment_method', secret: '' });
    expect(await run(lost).result).toMatchObject({ message: 'retry payment later' });
    const over = aSubscription({ status: 'incomplete_expired', payment: 'canceled' });
    expect(await run(over).result).toEqual(failure('retry payment later'));
  });

  it('may be processing', async () => {
    const confirmPayment = async () => ({ ok: true, status: 'processing' }) as const;
    const { result } = run(declined, { cards: cardsOf({ confirmPayment }) });
    expect(await result).toEqual({ kind: 'processing' });
  });

  it('does not apply to another invoice', async () => {
    const other = { ...declined, latest_invoice: { ...declined.latest_invoice, id: 'in_2' } };
    const { result, cards } = run(other as Subscription);
    expect(await result).toEqual(failure('Your card was declined.'));
    expect(cards.confirmPayment).not.toHaveBeenCalled();
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_2');
  });
});

describe('a trial whose card requires authentication', () => {
  it('confirms the card before it starts', async () => {
    const { result, cards } = run(onTrial);
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(cards.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', undefined);
  });

  it('fails when the authentication fails, and returns the pending setup', async () => {
    const cards = cardsOf({ confirmSetup: refused('We are unable to authenticate.') });
    expect(await run(onTrial, { cards }).result).toEqual(
      failure('We are unable to authenticate.', { pendingSetup: 'seti_1_secret' }),
    );
    const confirmSetup = async () => ({ ok: true, status: 'requires_action' }) as const;
    expect(await run(onTrial, { cards: cardsOf({ confirmSetup }) }).result).toEqual(
      failure('Your card could not be authenticated.', {
        pendingSetup: 'seti_1_secret',
      }),
    );
  });

  describe('and is tried again', () => {
    const pendingSetup = 'seti_1_secret';

    it('does not subscribe again: another card is saved and authenticated', async () => {
      const { result, call, cards, saveCard } = run(onTrial, { pendingSetup });
      expect(await result).toEqual({ kind: 'succeeded' });
      expect(call).not.toHaveBeenCalled();
      expect(saveCard).toHaveBeenCalledExactlyOnceWith('pm_1');
      expect(cards.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', 'pm_1');
    });

    it('authenticates the default card without saving it', async () => {
      const { result, cards, saveCard } = run(onTrial, { pendingSetup, card: 'default' });
      expect(await result).toEqual({ kind: 'succeeded' });
      expect(saveCard).not.toHaveBeenCalled();
      expect(cards.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', undefined);
    });

    it('authenticates the present default card if it is known', async () => {
      const parts = { pendingSetup, card: 'default', defaultCard: 'pm_0' } as const;
      const { result, cards, saveCard } = run(onTrial, parts);
      expect(await result).toEqual({ kind: 'succeeded' });
      expect(saveCard).not.toHaveBeenCalled();
      expect(cards.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', 'pm_0');
    });

    it('stays open while no card is authenticated', async () => {
      const unreadable = cardsOf({ createPaymentMethod: refused('Incomplete.') });
      expect(await run(onTrial, { pendingSetup, cards: unreadable }).result).toEqual(
        failure('Incomplete.', { scope: 'card', pendingSetup }),
      );
      const cards = cardsOf({ confirmSetup: refused('No.') });
      const { result, saveCard } = run(onTrial, { pendingSetup, cards });
      expect(await result).toEqual(failure('No.', { pendingSetup }));
      expect(saveCard).not.toHaveBeenCalled();
    });

    it('fails when the authenticated card cannot be saved', async () => {
      const saveCard = async () => {
        throw new ApiError('ERRCARD', 'Your card was declined.', {
          status: 402,
          hasServerMessage: true,
        });
      };
      const { result, isDone } = run(onTrial, { pendingSetup, saveCard });
      expect(await result).toEqual(failure('Your card was declined.'));
      expect(isDone).not.toHaveBeenCalled();
    });
  });
});

describe('a call that fails', () => {
  const serverError = (name: string, status: number) =>
    new ApiError(name, 'The server message.', { status, hasServerMessage: true });

  it('has the message of the server, and is certain when the server decided it', async () => {
    const { result, isDone } = run(serverError('ERRCARD', 402));
    expect(await result).toEqual(failure('The server message.'));
    expect(isDone).not.toHaveBeenCalled();
  });

  it.each([
    ['a lost response', new ApiError('ECONNABORTED', 'timeout of 60000ms exceeded')],
    ['an error of a proxy', new ApiError('ERR_BAD_RESPONSE', 'No.', { status: 504 })],
    ['a provider in trouble', serverError('ERRPROVIDER', 502)],
  ])('is in doubt after %s', async (_name, error) => {
    expect(await run(error).result).toEqual(failure(error.message, { certain: false }));
  });

  it.each([
    ['a lost response', new ApiError('ERR_NETWORK', 'Network Error')],
    ['another tab', serverError('ERRCONFLICT', 409)],
  ])('succeeds after %s when the customer has what was requested', async (_name, error) => {
    rememberDecline();
    expect(await run(error, { isDone: async () => true }).result).toEqual({ kind: 'succeeded' });
    expect(localStorage).toHaveLength(0);
  });

  it('fails for a conflict when the customer does not have what was requested', async () => {
    expect(await run(serverError('ERRCONFLICT', 409)).result).toEqual(
      failure('The server message.'),
    );
  });

  it('fails when the outcome stays unknown', async () => {
    const isDone = () => Promise.reject(new Error('Network Error'));
    expect(await run(new ApiError('ERR_NETWORK', 'Network Error'), { isDone }).result).toEqual(
      failure('Network Error', { certain: false }),
    );
  });

  it('shows the general message for an error without one', async () => {
    expect(await run(new ApiError('ERRUNKNOWN', '')).result).toMatchObject({
      message: 'Interval Server Error',
    });
  });
});
