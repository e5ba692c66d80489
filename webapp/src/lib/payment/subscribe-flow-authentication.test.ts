import { cardsOf, failure, refused, run, subscription } from './testing';

describe('a payment that wants authentication', () => {
  const wanting = subscription({ payment: 'requires_action' });

  it('is confirmed with the card it has', async () => {
    const { end, cards } = run(wanting);
    expect(await end).toEqual({ kind: 'succeeded' });
    expect(cards.confirmPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret', undefined);
  });

  it('may be on its way afterwards', async () => {
    const confirmPayment = async () => ({ ok: true, status: 'processing' }) as const;
    expect(await run(wanting, { cards: cardsOf({ confirmPayment }) }).end).toEqual({
      kind: 'processing',
    });
  });

  it("fails in the provider's words", async () => {
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

  it('fails when there is nothing to confirm it by', async () => {
    const { end, cards } = run(subscription({ payment: 'requires_action', secret: '' }));
    expect(await end).toMatchObject({ kind: 'failed' });
    expect(cards.confirmPayment).not.toHaveBeenCalled();
  });
});
