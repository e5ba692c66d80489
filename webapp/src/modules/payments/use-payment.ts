import { useRef, useState } from 'react';
import type { SubscriptionStatus } from '@/api';
import { leavePage } from '@/lib/leave-page';
import { paths } from '@/lib/paths';
import { type PurchaseTexts, rememberPurchaseNotice } from '@/modules/session/purchase-notice';
import { reloadData } from '@/modules/session/query-client';
import { useSessionStore } from '@/modules/session/session-store';
import type { CardProvider } from './card-provider/port';
import { rememberFailure } from './page-visit';
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

/** A purchase or plan change to pay for. */
export interface Purchase extends Omit<Payment, 'pendingSetup'> {
  /**
   * Returns the texts of the sign-in form that follows a success. `status` is the status of the subscription that the
   * server has reported; null if its response was lost.
   */
  describeSuccess: (status: SubscriptionStatus | null) => PurchaseTexts;
}

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

  async function start(purchase: Purchase, cardProvider: CardProvider) {
    if (isRunning.current) return;
    isRunning.current = true;
    const ports = { cardProvider };
    let result: PaymentResult = newFailure(purchase.fallbackMessage);
    let reportedStatus = null as SubscriptionStatus | null;
    const call = async (params: PaymentParams) => {
      const subscription = await purchase.call(params);
      reportedStatus = subscription.status;
      return subscription;
    };
    const pendingSetup = pendingSetupOf(state);
    setState({ kind: 'busy', ...pendingSetup });
    try {
      result = await paySubscription({ ...purchase, ...pendingSetup, call }, ports);
      if (result.kind === 'failed') await reloadAfterFailure(result, reportedStatus !== null);
    } finally {
      isRunning.current = false;
      setState(result.kind === 'redirect' ? { kind: 'busy' } : result);
    }
    if (result.kind === 'redirect') {
      const { session } = useSessionStore.getState();
      rememberFailure(session.status === 'signedIn' ? session.user.openPayment : null);
      leavePage(result.url, restart);
    } else if (endsSession(result)) {
      const status = reportedStatus ?? (pendingSetup.pendingSetup ? 'trialing' : null);
      setTimeout(logOut, logoutDelay, purchase.describeSuccess(status));
    } else if (result.kind !== 'failed') reloadAll();
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

/** Whether the customer is signed out. They stay signed in to read payment instructions or a different amount. */
const endsSession = (result: Success | Failure): boolean =>
  result.kind === 'succeeded' && !result.next && !result.chargeDifference;

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

/** Leaves the page to end the session. The sign-in form that follows shows the texts. */
function logOut(texts: PurchaseTexts) {
  const { session } = useSessionStore.getState();
  if (session.status === 'signedIn') {
    rememberPurchaseNotice({ ...texts, email: session.user.email });
  }
  leavePage(paths.logout, () => window.location.reload());
}
