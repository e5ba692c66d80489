import type { ReactNode } from 'react';
import type { ApiError } from '@/api';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/failure-message';
import { ResendVerification } from './ResendVerification';
import { SessionFailure } from './SessionFailure';
import { useSession } from './session-store';

export type SigningIn = { status: 'idle' | 'busy' } | { status: 'failed'; error: ApiError };

/** An attempt to sign in, for the notices above the fields. */
export interface SignInAttempt {
  signingIn: SigningIn;
  /** The current value of the email field. */
  email: string;
  /** Marks the email field, because a valid address is needed first. */
  onInvalidEmail: () => void;
}

interface SignInFailureProps extends SignInAttempt {
  /** Shown without a failure. */
  children?: ReactNode;
}

/** The failure of the last attempt to sign in, or of the request for the session. */
export function SignInFailure({ signingIn, email, onInvalidEmail, children }: SignInFailureProps) {
  const session = useSession();
  if (signingIn.status === 'failed') {
    if (signingIn.error.name !== 'ERRUNVERIFIED') {
      return (
        <Notice tone="danger" className="mt-4">
          {messageOf(signingIn.error)}
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
  return session.status === 'signedOut' && session.error ? <SessionFailure /> : children;
}
