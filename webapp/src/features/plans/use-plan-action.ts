import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { messageOf } from '@/lib/failure-message';
import { urlOf } from '@/lib/paths';
import { type DebugState, useDebug } from '@/modules/session/navigation';
import type { ConfirmState } from '@/modules/session/navigation-state';
import { useSessionStore } from '@/modules/session/session-store';
import type { Action } from '@/rules/button';
import { type Target, targetOf } from '@/rules/target';
import type { PriceRef } from '@/rules/types';

/** The state of the button that was pressed last. It is busy while a customer is created. */
type Press =
  | { status: 'idle' }
  | { status: 'busy'; product: string }
  | { status: 'failed'; product: string; message: string };

/** Returns `start`, which opens the screen for a button's action, and `press`, the state of the last pressed button. */
export function usePlanAction() {
  const navigate = useNavigate();
  const debug = useDebug();
  const [press, setPress] = useState<Press>({ status: 'idle' });

  function openTarget(target: Target) {
    if (target.screen === 'none' || target.screen === 'newCustomer') return;
    const state =
      target.screen === 'contact' ? ({ debug } satisfies DebugState) : confirmStateOf(target);
    navigate(urlOf({ ...target, screen: target.screen }), { state });
  }

  async function start(action: Action, ref: PriceRef) {
    const target = targetFor(action, ref, debug);
    if (target.screen !== 'newCustomer') return openTarget(target);
    setPress({ status: 'busy', product: ref.product });
    const customerId = await useSessionStore.getState().createCustomer();
    if (customerId) return openTarget(targetFor(action, ref, debug, customerId));
    setPress({ status: 'failed', product: ref.product, message: sessionErrorMessage() });
  }

  return { press, start };
}

function targetFor(action: Action, ref: PriceRef, debug: boolean, customerId?: string): Target {
  const { session } = useSessionStore.getState();
  const signedInSession = session.status === 'signedIn' ? session : null;
  return targetOf({
    action,
    to: ref,
    debug,
    signedIn: signedInSession !== null,
    customerId: customerId ?? signedInSession?.customer?.id ?? null,
    license: signedInSession?.user.license ?? null,
  });
}

function confirmStateOf({ state }: Target): ConfirmState | undefined {
  const { session } = useSessionStore.getState();
  if (!state || session.status !== 'signedIn') return undefined;
  const { from, to, mode } = state;
  return { user: session.user, to, mode, ...(from && { from }) };
}

function sessionErrorMessage(): string {
  const { session } = useSessionStore.getState();
  return messageOf(session.status !== 'loading' && session.error);
}
