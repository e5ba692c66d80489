import { useRef, useState } from 'react';
import { addCard } from '@/api';
import type { CardProvider } from '@/lib/card-provider/port';
import { paths } from '@/lib/paths';
import { useSessionStore } from '@/lib/session-store';
import { pay } from './payment-flow';
import {
  type Failure,
  failed,
  type Payment,
  type PaymentParams,
  type PaymentResult,
  type Redirect,
} from './payment-types';

/** The state of a payment. */
export type PaymentState = { kind: 'idle' } | { kind: 'busy' } | Exclude<PaymentResult, Redirect>;

/** Delay between the success message and the sign-out in milliseconds. */
export const logoutDelay = 1000;

/**
 * Executes payments, one at a time. After a success the customer is signed out on every screen,
 * because the page's data is out of date.
 */
export function usePayment() {
  const running = useRef(false);
  const [state, setState] = useState<PaymentState>({ kind: 'idle' });

  async function start(payment: Omit<Payment, 'pendingSetup'>, cards: CardProvider) {
    if (running.current) return;
    running.current = true;
    const ports = { cards, saveCard: addCard, store: localStorage };
    let end: PaymentResult = failed(payment.genericFailure);
    let responded = false;
    const call = async (params: PaymentParams) => {
      const subscription = await payment.call(params);
      responded = true;
      return subscription;
    };
    setState({ kind: 'busy' });
    try {
      end = await pay({ ...payment, ...pendingOf(state), call }, ports);
      if (end.kind === 'failed' && end.sessionOver) await useSessionStore.getState().refresh();
      // Something may be open now; a request that was refused changed nothing.
      else if (end.kind === 'failed' && responded) void useSessionStore.getState().refresh();
    } finally {
      running.current = false;
      setState(end.kind === 'redirect' ? { kind: 'busy' } : end);
    }
    if (end.kind === 'redirect') window.location.assign(end.url);
    // The customer stays signed in to read how to transfer the money, or why the amount is another.
    if (end.kind === 'succeeded' && !end.next && !end.differs) setTimeout(logOut, logoutDelay);
    else if (end.kind === 'succeeded') void useSessionStore.getState().refresh();
  }

  return { state, start };
}

function pendingOf(state: PaymentState): Pick<Failure, 'pendingSetup'> {
  const pendingSetup = state.kind === 'failed' ? state.pendingSetup : undefined;
  return pendingSetup ? { pendingSetup } : {};
}

/**
 * Ends the session at the server and reloads the app, also when the browser restores this page from
 * its back/forward cache.
 */
function logOut() {
  window.addEventListener('pageshow', () => window.location.reload(), { once: true });
  window.location.assign(paths.logout);
}
