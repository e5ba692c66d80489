import type { Subscription } from '@/api';
import { cardsOf, declinedBefore, failure, refused, run, subscription } from './testing';

describe('a retry of a declined invoice', () => {
  beforeEach(declinedBefore);
  const declined = subscription({ payment: 'requires_payment_method' });

  it('is confirmed with the new card, and then forgotten', async () => {
    const { end, cards } = run(declined);
    expect(await end).toEqual({ kind: 'succeeded' });
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', 'pm_1');
    expect(localStorage).toHaveLength(0);
  });

  it('leaves the card to the provider when the default one pays', async () => {
    const { cards, end } = run(declined, { card: 'default' });
    await end;
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', undefined);
  });

  it('is confirmed with the default card where that is known', async () => {
    const { cards, end } = run(declined, { card: 'default', defaultCard: 'pm_0' });
    await end;
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', 'pm_0');
  });

  it("that is declined says 'retry payment later' and why", async () => {
    const cards = cardsOf({ confirmPayment: refused('Your card has insufficient funds.') });
    expect(await run(declined, { cards }).end).toEqual(
      failure('retry payment later', { reason: 'Your card has insufficient funds.' }),
    );
    expect(localStorage).toHaveLength(2);
  });

  it('that nothing can be confirmed by says so too', async () => {
    const lost = subscription({ payment: 'requires_payment_method', secret: '' });
    expect(await run(lost).end).toMatchObject({ message: 'retry payment later' });
    const over = subscription({ status: 'incomplete_expired', payment: 'canceled' });
    expect(await run(over).end).toEqual(failure('retry payment later'));
  });

  it('may be on its way', async () => {
    const confirmPayment = async () => ({ ok: true, status: 'processing' }) as const;
    const { end } = run(declined, { cards: cardsOf({ confirmPayment }) });
    expect(await end).toEqual({ kind: 'processing' });
  });

  it('is none for another invoice', async () => {
    const other = { ...declined, latest_invoice: { ...declined.latest_invoice, id: 'in_2' } };
    const { end, cards } = run(other as Subscription);
    expect(await end).toEqual(failure('Your card was declined.'));
    expect(cards.confirmPayment).not.toHaveBeenCalled();
    expect(localStorage.getItem('latestInvoiceId')).toBe('in_2');
  });
});
