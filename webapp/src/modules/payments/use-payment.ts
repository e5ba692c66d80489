import { useRef, useState } from 'react';
import { addCard } from '@/api';
import { leavePage } from '@/lib/leave-page';
import { paths } from '@/lib/paths';
import { rememberPayerEmail } from '@/modules/session/payer-email';
import { reloadData } from '@/modules/session/query-client';
import { useSessionStore } from '@/modules/session/session-store';
import type { CardProvider } from './card-provider/port';
import { paySubscription } from './pay-subscription';
import {
  type Failure,
  newFailure,
  type Payment,
  type PaymentParams,
  type PaymentResult,
  type Redirect,
  type Success,
} from './payment-types';

/** The state of a payment. */
export type PaymentState =
  | { kind: 'idle' }
  | ({ kind: 'busy' } & Pick<Failure, 'pendingSetup'>)
  | Exclude<PaymentResult, Redirect>;

/** Whether a trial has started with a card that its bank has to approve. */
export const awaitsApproval = (state: PaymentState): boolean =>
  (state.kind === 'busy' || state.kind === 'failed') && state.pendingSetup !== undefined;

/** Delay between the success message and the sign-out in milliseconds. */
const logoutDelay = 1000;

/** Executes payments, one at a time. After a success the customer is signed out, as specified. */
export function usePayment() {
  const isRunning = useRef(false);
  const [state, setState] = useState<PaymentState>({ kind: 'idle' });

  async function start(payment: Omit<Payment, 'pendingSetup'>, cardProvider: CardProvider) {
    if (isRunning.current) return;
    isRunning.current = true;
    const ports = { cardProvider, saveCard: addCard };
    let result: PaymentResult = newFailure(payment.fallbackMessage);
    let hasReceivedResponse = false;
    const call = async (params: PaymentParams) => {
      const subscription = await payment.call(params);
      hasReceivedResponse = true;
      return subscription;
    };
    const pendingSetup = pendingSetupOf(state);
    setState({ kind: 'busy', ...pendingSetup });
    try {
      result = await paySubscription({ ...payment, ...pendingSetup, call }, ports);
      if (result.kind === 'failed') await reloadAfterFailure(result, hasReceivedResponse);
    } finally {
      isRunning.current = false;
      setState(result.kind === 'redirect' ? { kind: 'busy' } : result);
    }
    if (result.kind === 'redirect') leavePage(result.url, restart);
    else if (result.kind !== 'failed') signOutOrReload(result);
  }

  function restart() {
    setState({ kind: 'idle' });
    reloadAll();
  }

  return { state, start };
}

async function reloadAfterFailure({ sessionOver }: Failure, hasReceivedResponse: boolean) {
  if (sessionOver) return useSessionStore.getState().refresh(true);
  // The response may have left a payment open, which the banner shows.
  if (hasReceivedResponse) void useSessionStore.getState().refresh();
  void reloadData();
}

/** Signs out, unless the customer has to stay signed in to read payment instructions or a different amount. */
function signOutOrReload({ kind, next, chargeDifference }: Success): void {
  if (kind === 'succeeded' && !next && !chargeDifference) setTimeout(logOut, logoutDelay);
  else reloadAll();
}

/** Reloads the identity and the data on the screen. */
function reloadAll() {
  void useSessionStore.getState().refresh();
  void reloadData();
}

/** Returns the authentication that the last attempt has started, if any. */
function pendingSetupOf(state: PaymentState): Pick<Failure, 'pendingSetup'> {
  const pendingSetup = state.kind === 'failed' ? state.pendingSetup : undefined;
  return pendingSetup ? { pendingSetup } : {};
}

/** Leaves the page to end the session. The sign-in form that follows reports the payment. */
function logOut() {
  const { session } = useSessionStore.getState();
  if (session.status === 'signedIn') rememberPayerEmail(session.user.email);
  leavePage(paths.logout, () => window.location.reload());
}
