import { ApiError, type Subscription } from '@/api';
import { aNextAction } from '@/testing/fixtures';
import { cardsOf, declinedBefore, failure, onTrial, refused, run, subscription } from './testing';

describe('the card', () => {
  it('becomes a payment method that the call contains', async () => {
    const { end, call } = run(subscription({ status: 'active' }));
    expect(await end).toEqual({ kind: 'succeeded' });
    expect(call).toHaveBeenCalledExactlyOnceWith({ paymentMethodId: 'pm_1' });
  });

  it('that the provider refuses sends no call and shows its message at the card', async () => {
    const cards = cardsOf({ createPaymentMethod: refused('Your card number is incomplete.') });
    const { end, call } = run(subscription({ status: 'active' }), { cards });
    expect(await end).toEqual(failure('Your card number is incomplete.', { scope: 'card' }));
    expect(call).not.toHaveBeenCalled();
  });

  it('is not created when the default card pays', async () => {
    const { end, call, cards } = run(subscription({ status: 'active' }), { card: 'default' });
    expect(await end).toEqual({ kind: 'succeeded' });
    expect(call).toHaveBeenCalledExactlyOnceWith({});
    expect(cards.createPaymentMethod).not.toHaveBeenCalled();
  });
});

describe('an outcome', () => {
  it.each(['active', 'trialing'] as const)(
    '%s is success and forgets the invoice',
    async (status) => {
      declinedBefore();
      const { end } = run(subscription({ status }));
      expect(await end).toEqual({ kind: 'succeeded' });
      expect(localStorage).toHaveLength(0);
    },
  );

  it('processing is neither success nor failure', async () => {
    declinedBefore();
    const { end } = run(subscription({ payment: 'processing' }));
    expect(await end).toEqual({ kind: 'processing' });
    expect(localStorage).toHaveLength(2);
  });

  it('without a next action fails with the general message', async () => {
    expect(await run(subscription({ status: 'canceled' })).end).toEqual(
      failure('Interval Server Error'),
    );
  });

  it('requires_payment_method is a declined card, and is remembered', async () => {
    const { end, cards } = run(subscription({ payment: 'requires_payment_method' }));
    expect(await end).toEqual(failure('Your card was declined.'));
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_1');
    expect(localStorage.getItem('latestInvoicePaymentIntentStatus')).toBe(
      'requires_payment_method',
    );
    expect(cards.confirmPayment).not.toHaveBeenCalled();
  });
});

describe('the outcome that the server reports', () => {
  it('precedes the status of the subscription and of its payment', async () => {
    const active = subscription({ status: 'active', payment: 'succeeded', outcome: 'processing' });
    expect(await run(active).end).toEqual({ kind: 'processing' });
  });

  it('is confirmed with the secret of the next action', async () => {
    const next = aNextAction({ kind: 'new_payment_method', secret: 'next_secret' });
    const { end, cards } = run(subscription({ outcome: 'confirm_payment', next }));
    expect(await end).toEqual({ kind: 'succeeded' });
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('next_secret', 'pm_1');
  });

  it('names the declined invoice in the next call', async () => {
    declinedBefore();
    const { end, call } = run(subscription({ outcome: 'succeeded' }));
    await end;
    expect(call).toHaveBeenCalledExactlyOnceWith({
      paymentMethodId: 'pm_1',
      retryInvoiceId: 'in_1',
    });
  });

  it('redirects to the page of the provider', async () => {
    const next = aNextAction({ kind: 'redirect', url: 'https://pay.example/1' });
    expect(await run(subscription({ outcome: 'redirect', next })).end).toEqual({
      kind: 'redirect',
      url: 'https://pay.example/1',
    });
    const script = { ...next, url: 'javascript:alert(1)' };
    expect(await run(subscription({ outcome: 'redirect', next: script })).end).toMatchObject({
      kind: 'failed',
    });
  });

  it('contains the instructions for a payment outside of the browser', async () => {
    const instructions = [{ label: 'Reference', value: 'INV-1' }];
    const next = aNextAction({ kind: 'wait', instructions });
    expect(await run(subscription({ outcome: 'processing', next })).end).toEqual({
      kind: 'processing',
      next,
    });
  });
});

describe('a payment that requires authentication', () => {
  const wanting = subscription({ payment: 'requires_action' });

  it('is confirmed with the card it has', async () => {
    const { end, cards } = run(wanting);
    expect(await end).toEqual({ kind: 'succeeded' });
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', undefined);
  });

  it('may be processing after the authentication', async () => {
    const confirmPayment = async () => ({ ok: true, status: 'processing' }) as const;
    expect(await run(wanting, { cards: cardsOf({ confirmPayment }) }).end).toEqual({
      kind: 'processing',
    });
  });

  it("fails with the provider's message", async () => {
    const cards = cardsOf({ confirmPayment: refused('We are unable to authenticate.') });
    expect(await run(wanting, { cards }).end).toEqual(
      failure('We are unable to authenticate.', { unauthenticated: true }),
    );
    expect(localStorage).toHaveLength(0);
  });

  it('fails when it is still open afterwards', async () => {
    const confirmPayment = async () => ({ ok: true, status: 'requires_action' }) as const;
    expect(await run(wanting, { cards: cardsOf({ confirmPayment }) }).end).toEqual(
      failure('Your card could not be authenticated.', { unauthenticated: true }),
    );
  });

  it('fails without a client secret', async () => {
    const { end, cards } = run(subscription({ payment: 'requires_action', secret: '' }));
    expect(await end).toMatchObject({ kind: 'failed' });
    expect(cards.confirmPayment).not.toHaveBeenCalled();
  });
});

describe('a retry of a declined invoice', () => {
  beforeEach(declinedBefore);
  const declined = subscription({ payment: 'requires_payment_method' });

  it('is confirmed with the new card, and then forgotten', async () => {
    const { end, cards } = run(declined);
    expect(await end).toEqual({ kind: 'succeeded' });
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', 'pm_1');
    expect(localStorage).toHaveLength(0);
  });

  it('sends no card when the default one is charged', async () => {
    const { cards, end } = run(declined, { card: 'default' });
    await end;
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', undefined);
  });

  it('is confirmed with the default card if it is known', async () => {
    const { cards, end } = run(declined, { card: 'default', defaultCard: 'pm_0' });
    await end;
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', 'pm_0');
  });

  it("that is declined shows 'retry payment later' and the reason", async () => {
    const cards = cardsOf({ confirmPayment: refused('Your card has insufficient funds.') });
    expect(await run(declined, { cards }).end).toEqual(
      failure('retry payment later', { reason: 'Your card has insufficient funds.' }),
    );
    expect(localStorage).toHaveLength(2);
  });

  it('without a client secret shows the same message', async () => {
    const lost = subscription({ payment: 'requires_payment_method', secret: '' });
    expect(await run(lost).end).toMatchObject({ message: 'retry payment later' });
    const over = subscription({ status: 'incomplete_expired', payment: 'canceled' });
    expect(await run(over).end).toEqual(failure('retry payment later'));
  });

  it('may be processing', async () => {
    const confirmPayment = async () => ({ ok: true, status: 'processing' }) as const;
    const { end } = run(declined, { cards: cardsOf({ confirmPayment }) });
    expect(await end).toEqual({ kind: 'processing' });
  });

  it('does not apply to another invoice', async () => {
    const other = { ...declined, latest_invoice: { ...declined.latest_invoice, id: 'in_2' } };
    const { end, cards } = run(other as Subscription);
    expect(await end).toEqual(failure('Your card was declined.'));
    expect(cards.confirmPayment).not.toHaveBeenCalled();
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_2');
  });
});

describe('a trial whose card requires authentication', () => {
  it('confirms the card before it starts', async () => {
    const { end, cards } = run(onTrial);
    expect(await end).toEqual({ kind: 'succeeded' });
    expect(cards.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', undefined);
  });

  it('fails when the authentication fails, and returns the pending setup', async () => {
    const cards = cardsOf({ confirmSetup: refused('We are unable to authenticate.') });
    expect(await run(onTrial, { cards }).end).toEqual(
      failure('We are unable to authenticate.', { pendingSetup: 'seti_1_secret' }),
    );
    const confirmSetup = async () => ({ ok: true, status: 'requires_action' }) as const;
    expect(await run(onTrial, { cards: cardsOf({ confirmSetup }) }).end).toEqual(
      failure('Your card could not be authenticated.', {
        pendingSetup: 'seti_1_secret',
      }),
    );
  });

  describe('and is tried again', () => {
    const pendingSetup = 'seti_1_secret';

    it('does not subscribe again: another card is saved and authenticated', async () => {
      const { end, call, cards, saveCard } = run(onTrial, { pendingSetup });
      expect(await end).toEqual({ kind: 'succeeded' });
      expect(call).not.toHaveBeenCalled();
      expect(saveCard).toHaveBeenCalledExactlyOnceWith('pm_1');
      expect(cards.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', 'pm_1');
    });

    it('authenticates the default card without saving it', async () => {
      const { end, cards, saveCard } = run(onTrial, { pendingSetup, card: 'default' });
      expect(await end).toEqual({ kind: 'succeeded' });
      expect(saveCard).not.toHaveBeenCalled();
      expect(cards.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', undefined);
    });

    it('authenticates the present default card if it is known', async () => {
      const parts = { pendingSetup, card: 'default', defaultCard: 'pm_0' } as const;
      const { end, cards, saveCard } = run(onTrial, parts);
      expect(await end).toEqual({ kind: 'succeeded' });
      expect(saveCard).not.toHaveBeenCalled();
      expect(cards.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', 'pm_0');
    });

    it('stays open while no card is authenticated', async () => {
      const unreadable = cardsOf({ createPaymentMethod: refused('Incomplete.') });
      expect(await run(onTrial, { pendingSetup, cards: unreadable }).end).toEqual(
        failure('Incomplete.', { scope: 'card', pendingSetup }),
      );
      const cards = cardsOf({ confirmSetup: refused('No.') });
      const { end, saveCard } = run(onTrial, { pendingSetup, cards });
      expect(await end).toEqual(failure('No.', { pendingSetup }));
      expect(saveCard).not.toHaveBeenCalled();
    });

    it('fails when the authenticated card cannot be saved', async () => {
      const saveCard = async () => {
        throw new ApiError('ERRCARD', 'Your card was declined.', {
          status: 402,
          hasServerMessage: true,
        });
      };
      const { end, isDone } = run(onTrial, { pendingSetup, saveCard });
      expect(await end).toEqual(failure('Your card was declined.'));
      expect(isDone).not.toHaveBeenCalled();
    });
  });
});

describe('a call that fails', () => {
  const serverError = (name: string, status: number) =>
    new ApiError(name, 'The server message.', { status, hasServerMessage: true });

  it('has the message of the server, and is certain when the server decided it', async () => {
    const { end, isDone } = run(serverError('ERRCARD', 402));
    expect(await end).toEqual(failure('The server message.'));
    expect(isDone).not.toHaveBeenCalled();
  });

  it.each([
    ['a lost response', new ApiError('ECONNABORTED', 'timeout of 60000ms exceeded')],
    ['an error of a proxy', new ApiError('ERR_BAD_RESPONSE', 'No.', { status: 504 })],
    ['a provider in trouble', serverError('ERRPROVIDER', 502)],
  ])('is in doubt after %s', async (_name, error) => {
    expect(await run(error).end).toEqual(failure(error.message, { certain: false }));
  });

  it.each([
    ['a lost response', new ApiError('ERR_NETWORK', 'Network Error')],
    ['another tab', serverError('ERRCONFLICT', 409)],
  ])('succeeds after %s when the customer has what was requested', async (_name, error) => {
    declinedBefore();
    expect(await run(error, { isDone: async () => true }).end).toEqual({ kind: 'succeeded' });
    expect(localStorage).toHaveLength(0);
  });

  it('fails for a conflict when the customer does not have what was requested', async () => {
    expect(await run(serverError('ERRCONFLICT', 409)).end).toEqual(failure('The server message.'));
  });

  it('fails when the outcome stays unknown', async () => {
    const isDone = () => Promise.reject(new Error('Network Error'));
    expect(await run(new ApiError('ERR_NETWORK', 'Network Error'), { isDone }).end).toEqual(
      failure('Network Error', { certain: false }),
    );
  });

  it('shows the general message for an error without one', async () => {
    expect(await run(new ApiError('ERRUNKNOWN', '')).end).toMatchObject({
      message: 'Interval Server Error',
    });
  });
});
