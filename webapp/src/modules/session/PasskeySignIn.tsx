import { useEffect, useRef } from 'react';
import { ApiError } from '@/api';
import { requestPasskey, signInWithPasskey } from '@/api/passkeys';
import { Button } from '@/components/Button';
import { logFailure } from '@/lib/log';
import { abortPasskey, getPasskey, offersPasskeysInFields } from '@/lib/passkeys';
import type { SignInState } from './SignInFailure';
import { useSessionStore } from './session-store';

/** The age at which the request of the email field is renewed, in milliseconds. The server accepts it for five minutes. */
const renewalInterval = 4 * 60_000;
/** The age from which a request is not used any more, in milliseconds. */
const maxAge = 4.5 * 60_000;

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
  const flow = useRef<PasskeyFlow>(null);
  useEffect(() => {
    callbacks.current = { onState, onSignedIn };
  });

  useEffect(() => {
    const newFlow = new PasskeyFlow(() => callbacks.current);
    flow.current = newFlow;
    const renew = () => void newFlow.renewOffer();
    renew();
    const timer = setInterval(renew, renewalInterval);
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
      newFlow.end();
    };
  }, []);

  return (
    <Button
      variant="secondary"
      wide
      unavailable={state.status === 'busy'}
      onClick={() => void flow.current?.openDialog()}
    >
      Sign in with a passkey
    </Button>
  );
}

/** The requests for a passkey of one sign-in form. A dialog ends the offer, because browsers run one request at a time. */
class PasskeyFlow {
  private isBusy = false;
  private isEnded = false;
  private offeredAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly callbacks: () => PasskeyCallbacks) {}

  /** Ends the running request and starts no other one. */
  end() {
    this.isEnded = true;
    abortPasskey();
  }

  /** Offers passkeys again if the offer is about to expire and the form is visible. */
  async renewOffer() {
    if (Date.now() - this.offeredAt >= renewalInterval) await this.offerInField();
  }

  /** Offers passkeys in the email field until the user chooses one. A failure to offer them is only logged. */
  private async offerInField() {
    if (this.isBusy || this.isEnded || document.visibilityState === 'hidden') return;
    const requestedAt = Date.now();
    this.offeredAt = requestedAt;
    try {
      if (!(await offersPasskeysInFields()) || this.isBusy || this.isEnded) return;
      const { options, state } = await requestPasskey();
      if (this.isBusy || this.isEnded) return;
      const credential = await getPasskey(options, true);
      if (!credential || this.isBusy || this.isEnded) return;
      if (Date.now() - requestedAt < maxAge) await this.run(() => this.signIn(state, credential));
      else await this.openDialog();
    } catch (error) {
      logFailure('Passkeys could not be offered', error);
    }
  }

  /** Signs in with a passkey from a dialog. Opens the dialog again if its request became too old. */
  async openDialog() {
    await this.run(async () => {
      for (;;) {
        const requestedAt = Date.now();
        const { options, state } = await requestPasskey();
        const credential = this.isEnded ? null : await getPasskey(options);
        if (!credential) return false;
        if (Date.now() - requestedAt < maxAge) return this.signIn(state, credential);
      }
    });
  }

  /** Shows the progress of a sign-in, and offers passkeys again if `signIn` returns false or fails. */
  private async run(signIn: () => Promise<boolean>) {
    this.isBusy = true;
    this.callbacks().onState({ status: 'busy' });
    let isSignedIn = false;
    try {
      isSignedIn = await signIn();
      this.callbacks().onState({ status: 'idle' });
    } catch (error) {
      this.showFailure(error);
    }
    this.isBusy = false;
    if (isSignedIn) this.callbacks().onSignedIn?.();
    else await this.offerInField();
  }

  private async signIn(state: string, credential: object): Promise<true> {
    await useSessionStore
      .getState()
      .startSession((organisation) => signInWithPasskey(state, credential, organisation));
    return true;
  }

  private showFailure(error: unknown) {
    logFailure('Signing in with a passkey failed', error);
    const message = 'Your browser could not use a passkey. Please sign in with your password.';
    this.callbacks().onState({
      status: 'failed',
      error: error instanceof ApiError ? error : new ApiError('ERRPASSKEY', message),
    });
  }
}
