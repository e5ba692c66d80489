import { useRef, useState } from 'react';
import { cancelPendingChange, type OpenPayment } from '@/api';
import { serverMessageOf } from '@/lib/failure-message';
import { leavePage } from '@/lib/leave-page';
import { logFailure } from '@/lib/log';
import { isPaidOrOnTrial } from '@/modules/billing/license';
import { hasPriceId } from '@/modules/billing/offer';
import { reloadData } from '@/modules/session/query-client';
import {
  refreshIfSessionOver,
  refreshUntil,
  type Session,
  sessionRenewedMessage,
  useSessionStore,
} from '@/modules/session/session-store';
import type { CardProvider } from './card-provider/port';
import { declinedMessage } from './execute-payment';
import { forgetInvoice } from './latest-invoice';
import { rememberFailure } from './page-visit';
import { type OpenPaymentResult, type PaymentChoice, payOrAuthenticate } from './pay-open-payment';
import { type Failure, newFailure } from './payment-types';

/** The state of the last action. `payment` is the open payment at the start of the action. */
export type OpenPaymentState =
  | { kind: 'idle' }
  | { kind: 'busy'; payment: OpenPayment; action: 'pay' | 'cancel' }
  | { kind: 'paid' | 'canceled' | 'processing'; payment: OpenPayment }
  | {
      kind: 'failed';
      payment: OpenPayment;
      failure: Extract<OpenPaymentResult, { kind: 'failed' }>;
    };

/** Pays the open payment or cancels its plan change, one call at a time, and refreshes the session. */
export function useOpenPaymentActions() {
  const isRunning = useRef(false);
  const [state, setState] = useState<OpenPaymentState>({ kind: 'idle' });

  async function run(
    payment: OpenPayment,
    action: 'pay' | 'cancel',
    perform: () => Promise<OpenPaymentState>,
  ) {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ kind: 'busy', payment, action });
    try {
      setState(await perform());
    } finally {
      isRunning.current = false;
    }
  }

  const reset = () => setState({ kind: 'idle' });

  return {
    state,
    pay: (payment: OpenPayment, choice: PaymentChoice, cardProvider: CardProvider) =>
      run(payment, 'pay', async () =>
        completePayment(payment, await payOrAuthenticate(payment, choice, cardProvider), reset),
      ),
    reset,
    cancel: (payment: OpenPayment) => run(payment, 'cancel', () => cancelChange(payment)),
  };
}

/** Returns the state after an attempt to pay. Refreshes the session, or leaves the page for the provider's page. */
async function completePayment(
  payment: OpenPayment,
  result: OpenPaymentResult,
  reset: () => void,
): Promise<OpenPaymentState> {
  if (result.kind === 'redirect') {
    rememberFailure(openPaymentIn(useSessionStore.getState().session) ?? payment);
    leavePage(result.url, () => {
      reset();
      void refreshSession();
    });
    return { kind: 'busy', payment, action: 'pay' };
  }
  if (result.kind !== 'failed') {
    if (result.kind === 'succeeded') forgetInvoice();
    void refreshUntil((session) => hasTakenEffect(payment, session));
    void reloadData();
    return { kind: result.kind === 'succeeded' ? 'paid' : 'processing', payment };
  }
  if (result.scope === 'card') return { kind: 'failed', payment, failure: result };
  const session = await refreshSession(result.sessionOver);
  if (!result.isNothingOpen && hasTakenEffect(payment, session)) return { kind: 'paid', payment };
  return { kind: 'failed', payment, failure: addReason(result, openPaymentIn(session)) };
}

async function cancelChange(payment: OpenPayment): Promise<OpenPaymentState> {
  try {
    await cancelPendingChange();
    forgetInvoice();
  } catch (error) {
    logFailure('The plan change could not be dropped', error);
    return { kind: 'failed', payment, failure: await cancelFailure(error) };
  }
  return { kind: hasTakenEffect(payment, await refreshSession()) ? 'paid' : 'canceled', payment };
}

async function cancelFailure(error: unknown): Promise<Failure> {
  if (await refreshIfSessionOver(error)) {
    return { ...newFailure(sessionRenewedMessage), sessionOver: true };
  }
  await refreshSession();
  return newFailure(
    serverMessageOf(error, 'The change could not be dropped. Please try again later.'),
  );
}

/** Refreshes the session and, unless it has ended, reloads the page's data. Returns the session. */
async function refreshSession(isOver?: boolean): Promise<Session> {
  if (!isOver) void reloadData(); // a failed attempt may have removed a card
  await useSessionStore.getState().refresh(isOver);
  return useSessionStore.getState().session;
}

function openPaymentIn(session: Session): OpenPayment | null | undefined {
  return session.status === 'signedIn' ? session.user.openPayment : null;
}

/**
 * Whether the payment has taken effect: no payment is open any more, and the customer has an active plan or a trial. After a
 * plan change it has to be the requested plan. The payment of an owed invoice needs no plan.
 */
function hasTakenEffect(payment: OpenPayment, session: Session): boolean {
  if (session.status !== 'signedIn') return false;
  const { openPayment, license } = session.user;
  if (payment.kind === 'owed') return !openPayment;
  if (openPayment || !license || !isPaidOrOnTrial(license.raw.status)) return false;
  return payment.kind !== 'plan_change' || hasPriceId(license, payment.priceId);
}

/** Adds the reason of a decline to the failure if the server reports it with the open payment. */
export function addReason<F extends Failure>(
  failure: F,
  payment: Pick<OpenPayment, 'reason'> | null | undefined,
): F {
  const reason = failure.message === declinedMessage ? payment?.reason : '';
  return reason && reason !== declinedMessage ? { ...failure, reason } : failure;
}
