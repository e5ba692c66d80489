import { cardsOf, declinedBefore, failure, refused, run, subscription } from './testing';

describe('the card', () => {
  it('is made a payment method, which the call is given', async () => {
    const { end, call } = run(subscription({ status: 'active' }));
    expect(await end).toEqual({ kind: 'succeeded' });
    expect(call).toHaveBeenCalledExactlyOnceWith('pm_1');
  });

  it('that the provider refuses costs no call, and its words are about the card', async () => {
    const cards = cardsOf({ createPaymentMethod: refused('Your card number is incomplete.') });
    const { end, call } = run(subscription({ status: 'active' }), { cards });
    expect(await end).toEqual(failure('Your card number is incomplete.', { about: 'card' }));
    expect(call).not.toHaveBeenCalled();
  });

  it('is not asked for when the default card pays', async () => {
    const { end, call, cards } = run(subscription({ status: 'active' }), { card: 'default' });
    expect(await end).toEqual({ kind: 'succeeded' });
    expect(call).toHaveBeenCalledExactlyOnceWith(undefined);
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

  it('with nothing left to do fails in general words', async () => {
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
