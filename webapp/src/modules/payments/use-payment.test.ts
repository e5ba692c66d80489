import { act, renderHook } from '@testing-library/react';
import type { Subscription } from '@/api';
import { purchaseNotice } from '@/modules/session/purchase-notice';
import { useSessionStore } from '@/modules/session/session-store';
import { aNextAction, anOrganisation, aSubscription, aUser } from '@/testing/fixtures';
import { newCardProvider } from './testing';
import { usePayment } from './use-payment';

beforeEach(() => void vi.spyOn(useSessionStore.getState(), 'refresh').mockResolvedValue());

/** Pays with this response, and returns a function that returns the current state. */
async function pay(subscription: Subscription) {
  const { result } = renderHook(() => usePayment());
  const call = async () => subscription;
  const payment = {
    card: 'none',
    call,
    retriesInvoice: true,
    isDone: async () => false,
    fallbackMessage: '',
    describeSuccess: (status: string | null) => ({ title: 'Done', text: `It is ${status}.` }),
  } as const;
  await act(() => result.current.start(payment, newCardProvider()));
  return () => result.current.state;
}

const restorePage = () => act(() => window.dispatchEvent(new Event('pageshow')));

it('signs out one second after a success, and reloads a restored page', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const user = { ...aUser(), org: anOrganisation() };
  useSessionStore.setState({
    session: { status: 'signedIn', user, token: '', customer: null, error: null },
  });
  const state = await pay(aSubscription({ status: 'active' }));
  expect(state()).toEqual({ kind: 'succeeded' });
  vi.advanceTimersByTime(999);
  expect(window.location.assign).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(window.location.assign).toHaveBeenCalledExactlyOnceWith('/vc-admin/auth/logout');
  expect(purchaseNotice()).toEqual({
    title: 'Done',
    text: 'It is active.',
    email: 'ada@clinic.example',
  });

  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  restorePage();
  expect(reload).toHaveBeenCalledOnce();
});

it('is idle again when the page is restored after a redirect', async () => {
  const next = aNextAction({ kind: 'redirect', url: 'https://pay.example/1' });
  const state = await pay(aSubscription({ outcome: 'redirect', next }));
  expect(window.location.assign).toHaveBeenCalledExactlyOnceWith('https://pay.example/1');
  expect(state()).toEqual({ kind: 'busy' });

  restorePage();
  expect(state()).toEqual({ kind: 'idle' });
});
