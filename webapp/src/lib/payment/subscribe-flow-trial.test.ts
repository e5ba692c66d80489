import { ApiError } from '@/api';
import { cardsOf, failure, onTrial, refused, run } from './testing';

describe('a trial whose card wants authentication', () => {
  it('has the card confirmed first', async () => {
    const { end, cards } = run(onTrial);
    expect(await end).toEqual({ kind: 'succeeded' });
    expect(cards.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', undefined);
  });

  it('fails when that fails, and tells what is left to do', async () => {
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

    it('never subscribes again: another card is saved and authenticated', async () => {
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

    it('authenticates the card that is the default one by now, where that is known', async () => {
      const parts = { pendingSetup, card: 'default', defaultCard: 'pm_0' } as const;
      const { end, cards, saveCard } = run(onTrial, parts);
      expect(await end).toEqual({ kind: 'succeeded' });
      expect(saveCard).not.toHaveBeenCalled();
      expect(cards.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', 'pm_0');
    });

    it('stays open while no card is authenticated', async () => {
      const unreadable = cardsOf({ createPaymentMethod: refused('Incomplete.') });
      expect(await run(onTrial, { pendingSetup, cards: unreadable }).end).toEqual(
        failure('Incomplete.', { about: 'card', pendingSetup }),
      );
      const cards = cardsOf({ confirmSetup: refused('No.') });
      const { end, saveCard } = run(onTrial, { pendingSetup, cards });
      expect(await end).toEqual(failure('No.', { pendingSetup }));
      expect(saveCard).not.toHaveBeenCalled();
    });

    it('is over when the authenticated card cannot be saved', async () => {
      const saveCard = async () => {
        throw new ApiError('ERRCARD', 'Your card was declined.', { status: 402, answered: true });
      };
      const { end, isDone } = run(onTrial, { pendingSetup, saveCard });
      expect(await end).toEqual(failure('Your card was declined.'));
      expect(isDone).not.toHaveBeenCalled();
    });
  });
});
