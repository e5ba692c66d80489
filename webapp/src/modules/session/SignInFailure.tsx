import type { ApiError } from '@/api';
import { Notice } from '@/components/Notice';
import type { Elements } from '@/lib/elements';
import { messageOf } from '@/lib/failure-message';
import { CookiesNotice } from './CookiesNotice';
import { ResendVerification } from './ResendVerification';
import { SessionFailure } from './SessionFailure';
import { useSession } from './session-store';

/** The state of an attempt to sign in. */
export type SignInState = { status: 'idle' | 'busy' } | { status: 'failed'; error: ApiError };

/** The last attempt to sign in, for the notices above the fields of a sign-in form. */
export interface SignInAttempt {
  state: SignInState;
  /** The current value of the email field. */
  email: string;
  /** Marks the email field as invalid and focuses it. */
  onInvalidEmail: () => void;
}

interface SignInFailureProps extends SignInAttempt {
  /** Shown if nothing has failed. */
  children?: Elements;
}

/** The failure of the last attempt to sign in, or of the request for the session. */
export function SignInFailure({ state, email, onInvalidEmail, children }: SignInFailureProps) {
  const session = useSession();
  if (state.status === 'failed') {
    if (state.error.name === 'ERRSECONDFACTOR') {
      return (
        <Notice className="mt-4" title="One more step">
          {messageOf(state.error)}
        </Notice>
      );
    }
    if (state.error.name !== 'ERRUNVERIFIED') {
      return (
        <Notice tone="danger" className="mt-4">
          {messageOf(state.error)}
        </Notice>
      );
    }
    return (
      <Notice tone="attention" className="mt-4" title="Please verify your email address first">
        <ResendVerification
          email={email}
          onInvalidEmail={onInvalidEmail}
          description="Open the link in the email that we sent to you. It is good for 48 hours."
        />
      </Notice>
    );
  }
  return session.status === 'signedOut' && session.error ? (
    <SessionFailure />
  ) : (
    <>
      <CookiesNotice />
      {children}
    </>
  );
}
