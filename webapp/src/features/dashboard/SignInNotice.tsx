import { useLocation, useSearchParams } from 'react-router-dom';
import type { ApiError } from '@/api';
import { Notice } from '@/components/Notice';
import { ResendVerification } from '@/components/ResendVerification';
import { SessionUnknown } from '@/components/SessionUnknown';
import { useCan } from '@/lib/capabilities';
import { messageOf } from '@/lib/failure-message';
import { paidEmail } from '@/lib/paid-before-sign-out';
import { useSession } from '@/lib/session-store';

export type SigningIn = { status: 'idle' | 'busy' } | { status: 'failed'; error: ApiError };

interface SignInNoticeProps {
  state: SigningIn;
  /** The current value of the form's email field. */
  email: string;
  /** Called when an email is requested for an invalid address. */
  onNoEmail: () => void;
}

/** The notice above the form: the failure of the sign-in, else the result of the previous step. */
export function SignInNotice({ state, email, onNoEmail }: SignInNoticeProps) {
  const verified = useSearchParams()[0].get('verified');
  const { passwordChanged } = (useLocation().state ?? {}) as { passwordChanged?: boolean };
  const session = useSession();
  const canResend = useCan('verification');
  const resend = <ResendVerification email={email} onNoEmail={onNoEmail} className="mt-3" />;

  if (state.status === 'failed' && state.error.name === 'ERRUNVERIFIED') {
    return (
      <Notice tone="attention" className="mt-4" title="Please verify your email address first">
        <p>Open the link in the email that we sent to you. It is good for 48 hours.</p>
        {resend}
      </Notice>
    );
  }
  if (state.status === 'failed') {
    return (
      <Notice tone="danger" className="mt-4">
        {messageOf(state.error)}
      </Notice>
    );
  }
  if (session.status === 'signedOut' && session.error) return <SessionUnknown />;
  if (passwordChanged) {
    return (
      <Notice tone="success" className="mt-4" title="Your password was changed">
        <p>You were signed out everywhere. Sign in with the new password to go on.</p>
      </Notice>
    );
  }
  if (verified === '1') {
    return (
      <Notice tone="success" className="mt-4" title="Your email address is verified">
        <p>Sign in to go on.</p>
      </Notice>
    );
  }
  if (verified === '0') {
    return (
      <Notice tone="attention" className="mt-4" title="This link is unknown or too old">
        {canResend ? (
          <>
            <p>
              Type your email address below, and have a new link sent to you. When 48 hours have
              passed since you registered, please register again.
            </p>
            {resend}
          </>
        ) : (
          <p>Please open the link in the newest email, or register again.</p>
        )}
      </Notice>
    );
  }
  if (paidEmail()) {
    return (
      <Notice tone="success" className="mt-4" title="Your subscription is updated">
        <p>Sign in to go on.</p>
      </Notice>
    );
  }
  return null;
}
