import { type RefObject, useEffect, useRef } from 'react';
import { ApiError } from '@/api';
import { requestPasskey, signInWithPasskey } from '@/api/passkeys';
import { Button } from '@/components/Button';
import { logFailure } from '@/lib/log';
import { abortPasskey, getPasskey, offersPasskeysInFields } from '@/lib/passkeys';
import type { SignInState } from './SignInFailure';
import { useSessionStore } from './session-store';

/** The time after which the list of the email field gets a new request; the server accepts one for five minutes. */
const renewalInterval = 4 * 60_000;

interface PasskeyCallbacks {
  onState: (state: SignInState) => void;
  onSignedIn?: () => void;
}

interface PasskeySignInProps extends PasskeyCallbacks {
  state: SignInState;
}

/** A button that signs in with a passkey. While it is shown, the browser also offers passkeys in the email field. */
export default function PasskeySignIn({ state, onState, onSignedIn }: PasskeySignInProps) {
  const callbacks = useRef<PasskeyCallbacks>({ onState });
  useEffect(() => {
    callbacks.current = { onState, onSignedIn };
  });

  useEffect(() => {
    void offerInField(callbacks);
    const timer = setInterval(() => void offerInField(callbacks), renewalInterval);
    return () => {
      clearInterval(timer);
      abortPasskey();
    };
  }, []);

  return (
    <Button
      variant="secondary"
      wide
      unavailable={state.status === 'busy'}
      onClick={() => void openDialog(callbacks)}
    >
      Sign in with a passkey
    </Button>
  );
}

type Callbacks = RefObject<PasskeyCallbacks>;

/** Offers passkeys in the email field until the user chooses one. A failure to offer them is only logged. */
async function offerInField(callbacks: Callbacks) {
  try {
    if (!(await offersPasskeysInFields())) return;
    const { options, state } = await requestPasskey();
    const credential = await getPasskey(options, true);
    if (credential) await signIn(state, credential, callbacks);
  } catch (error) {
    logFailure('Passkeys could not be offered', error);
  }
}

async function openDialog(callbacks: Callbacks) {
  callbacks.current.onState({ status: 'busy' });
  try {
    const { options, state } = await requestPasskey();
    const credential = await getPasskey(options);
    if (credential) {
      await signIn(state, credential, callbacks);
      return;
    }
    callbacks.current.onState({ status: 'idle' });
  } catch (error) {
    fail(error, callbacks);
  }
  void offerInField(callbacks);
}

async function signIn(state: string, credential: object, callbacks: Callbacks) {
  callbacks.current.onState({ status: 'busy' });
  try {
    await signInWithPasskey(state, credential);
  } catch (error) {
    fail(error, callbacks);
    void offerInField(callbacks);
    return;
  }
  await useSessionStore.getState().refresh();
  callbacks.current.onState({ status: 'idle' });
  callbacks.current.onSignedIn?.();
}

function fail(error: unknown, callbacks: Callbacks) {
  logFailure('Signing in with a passkey failed', error);
  const message = 'Your browser could not use a passkey. Please sign in with your password.';
  callbacks.current.onState({
    status: 'failed',
    error: error instanceof ApiError ? error : new ApiError('ERRPASSKEY', message),
  });
}
