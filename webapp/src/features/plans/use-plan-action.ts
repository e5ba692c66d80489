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
type ButtonState =
  | { status: 'idle' }
  | { status: 'busy'; product: string }
  | { status: 'failed'; product: string; message: string };

/**
 * Returns `performAction`, which opens the screen for the action of a button, and `buttonState`, the state of the button
 * that was pressed last.
 */
export function usePlanAction() {
  const navigate = useNavigate();
  const debug = useDebug();
  const [buttonState, setButtonState] = useState<ButtonState>({ status: 'idle' });

  function openTarget(target: Target) {
    if (target.screen === 'none' || target.screen === 'newCustomer') return;
    const state =
      target.screen === 'contact' ? ({ debug } satisfies DebugState) : confirmStateOf(target);
    navigate(urlOf({ ...target, screen: target.screen }), { state });
  }

  async function performAction(action: Action, ref: PriceRef) {
    const target = targetInSession(action, ref, debug);
    if (target.screen !== 'newCustomer') return openTarget(target);
    setButtonState({ status: 'busy', product: ref.product });
    const customerId = await useSessionStore.getState().createCustomer();
    if (customerId) return openTarget(targetInSession(action, ref, debug, customerId));
    setButtonState({ status: 'failed', product: ref.product, message: sessionErrorMessage() });
  }

  return { buttonState, performAction };
}

function targetInSession(
  action: Action,
  ref: PriceRef,
  debug: boolean,
  customerId?: string,
): Target {
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
