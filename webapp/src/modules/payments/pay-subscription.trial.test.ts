import { ApiError } from '@/api';
import { failure, newCardProvider, pay, refuse, unapprovedTrial } from './testing';

describe('a trial with a card that requires authentication', () => {
  it('starts when the card is authenticated', async () => {
    const { result, cardProvider } = pay(unapprovedTrial);
    expect(await result).toEqual({ kind: 'succeeded' });
    expect(cardProvider.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', undefined);
  });

  it('fails when the authentication fails, and returns the pending setup', async () => {
    const cardProvider = newCardProvider({
      confirmSetup: refuse('We are unable to authenticate.'),
    });
    expect(await pay(unapprovedTrial, { cardProvider }).result).toEqual(
      failure('We are unable to authenticate.', { pendingSetup: 'seti_1_secret' }),
    );
    const confirmSetup = async () => ({ ok: true, status: 'requires_action' }) as const;
    expect(
      await pay(unapprovedTrial, { cardProvider: newCardProvider({ confirmSetup }) }).result,
    ).toEqual(failure('Your card could not be authenticated.', { pendingSetup: 'seti_1_secret' }));
  });

  describe('on the second attempt', () => {
    const pendingSetup = 'seti_1_secret';

    it('authenticates and saves another card without a second call', async () => {
      const { result, call, cardProvider, saveCard } = pay(unapprovedTrial, { pendingSetup });
      expect(await result).toEqual({ kind: 'succeeded' });
      expect(call).not.toHaveBeenCalled();
      expect(saveCard).toHaveBeenCalledExactlyOnceWith('pm_1');
      expect(cardProvider.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', 'pm_1');
    });

    it('authenticates the default card without saving it', async () => {
      const { result, cardProvider, saveCard } = pay(unapprovedTrial, {
        pendingSetup,
        card: 'default',
      });
      expect(await result).toEqual({ kind: 'succeeded' });
      expect(saveCard).not.toHaveBeenCalled();
      expect(cardProvider.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', undefined);
    });

    it('authenticates the current default card if its id is known', async () => {
      const options = { pendingSetup, card: 'default', defaultCardId: 'pm_0' } as const;
      const { result, cardProvider, saveCard } = pay(unapprovedTrial, options);
      expect(await result).toEqual({ kind: 'succeeded' });
      expect(saveCard).not.toHaveBeenCalled();
      expect(cardProvider.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret', 'pm_0');
    });

    it('keeps the pending setup when the card is refused or not authenticated', async () => {
      const refusingProvider = newCardProvider({ createPaymentMethod: refuse('Incomplete.') });
      expect(
        await pay(unapprovedTrial, { pendingSetup, cardProvider: refusingProvider }).result,
      ).toEqual(failure('Incomplete.', { scope: 'card', pendingSetup }));
      const cardProvider = newCardProvider({ confirmSetup: refuse('No.') });
      const { result, saveCard } = pay(unapprovedTrial, { pendingSetup, cardProvider });
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
      const { result, isDone } = pay(unapprovedTrial, { pendingSetup, saveCard });
      expect(await result).toEqual(failure('Your card was declined.'));
      expect(isDone).not.toHaveBeenCalled();
    });
  });
});
