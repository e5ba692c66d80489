import { HttpResponse } from 'msw';
import { aCard } from '@/testing/card-provider';
import { aNextAction, aSubscription } from '@/testing/fixtures';
import { errorResponse, servePost } from '@/testing/handlers';
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
      failure('We are unable to authenticate.', { pendingSetup: true }),
    );
    const confirmSetup = async () => ({ ok: true, status: 'requires_action' }) as const;
    expect(
      await pay(unapprovedTrial, { cardProvider: newCardProvider({ confirmSetup }) }).result,
    ).toEqual(failure('Your card could not be authenticated.', { pendingSetup: true }));
  });

  describe('on the second attempt', () => {
    const pendingSetup = true;
    const payPath = '/vc-admin/org/subscription/pay';
    const aTrial = (next: ReturnType<typeof aNextAction> | null) =>
      aSubscription({ status: 'trialing', outcome: 'succeeded', next });

    /** Serves the call that begins another authentication, and returns the bodies of its requests. */
    const serveSetup = (next: ReturnType<typeof aNextAction> | null) =>
      servePost(payPath, () => HttpResponse.json(aTrial(next)));

    it('authenticates another card with a new secret and without a second subscription', async () => {
      const bodies = serveSetup(aNextAction({ kind: 'confirm_setup', secret: 'seti_2_secret' }));
      const { result, call, cardProvider } = pay(unapprovedTrial, { pendingSetup });
      expect(await result).toEqual({ kind: 'succeeded' });
      expect(call).not.toHaveBeenCalled();
      expect(bodies).toEqual([{ setup: true, paymentMethodId: 'pm_1' }]);
      expect(cardProvider.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_2_secret', undefined);
    });

    it('authenticates the default card again', async () => {
      const bodies = serveSetup(
        aNextAction({ kind: 'new_payment_method', secret: 'seti_2_secret' }),
      );
      const options = { pendingSetup, card: 'default', defaultCardId: 'pm_0' } as const;
      const { result, cardProvider } = pay(unapprovedTrial, options);
      expect(await result).toEqual({ kind: 'succeeded' });
      expect(bodies).toEqual([{ setup: true, paymentMethodId: 'pm_0' }]);
      expect(cardProvider.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_2_secret', 'pm_0');
    });

    it.each([
      ['succeeds when the new card needs no authentication', null, { kind: 'succeeded' }],
      [
        "continues on the provider's page",
        aNextAction({ kind: 'redirect', url: 'https://bank.example/' }),
        { kind: 'redirect', url: 'https://bank.example/' },
      ],
      ['waits for the provider', aNextAction({ kind: 'wait' }), { kind: 'processing' }],
    ])('%s', async (_, next, want) => {
      serveSetup(next);
      const { result, cardProvider } = pay(unapprovedTrial, { pendingSetup });
      expect(await result).toEqual(want);
      expect(cardProvider.confirmSetup).not.toHaveBeenCalled();
    });

    it('can be repeated when the card is refused or not authenticated', async () => {
      serveSetup(aNextAction({ kind: 'confirm_setup', secret: 'seti_2_secret' }));
      const refusingProvider = newCardProvider({ createPaymentMethod: refuse('Incomplete.') });
      expect(
        await pay(unapprovedTrial, { pendingSetup, cardProvider: refusingProvider }).result,
      ).toEqual(failure('Incomplete.', { scope: 'card', pendingSetup }));
      const cardProvider = newCardProvider({ confirmSetup: refuse('No.') });
      expect(await pay(unapprovedTrial, { pendingSetup, cardProvider }).result).toEqual(
        failure('No.', { pendingSetup }),
      );
    });

    it('can be repeated when the server declines the card', async () => {
      servePost(payPath, () => errorResponse('ERRCARD', 'Your card was declined.', 402));
      const { result, isDone } = pay(unapprovedTrial, { pendingSetup });
      expect(await result).toEqual(failure('Your card was declined.', { pendingSetup }));
      expect(isDone).not.toHaveBeenCalled();
    });

    it('saves a card after the authentication that its bank wants first', async () => {
      const next = aNextAction({ kind: 'confirm_setup', secret: 'seti_3_secret' });
      servePost(payPath, () =>
        HttpResponse.json({ name: 'ERRCARD', message: 'Approve it.', next }, { status: 402 }),
      );
      const saved = servePost('/vc-admin/org/customer/cards/add', () =>
        HttpResponse.json(aCard('4242')),
      );
      const { result, cardProvider } = pay(unapprovedTrial, { pendingSetup });
      expect(await result).toEqual({ kind: 'succeeded' });
      expect(cardProvider.confirmSetup).toHaveBeenCalledExactlyOnceWith('seti_3_secret', undefined);
      expect(saved).toEqual([{ paymentMethodId: 'pm_1', set_default: true }]);
    });

    it('succeeds when the card was authenticated elsewhere', async () => {
      servePost(payPath, () => errorResponse('ERRQUOTE', 'There is nothing to pay any more.', 409));
      expect(await pay(unapprovedTrial, { pendingSetup }).result).toEqual({ kind: 'succeeded' });
    });
  });
});
