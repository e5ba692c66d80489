import { useLocation } from 'react-router-dom';
import { Notice } from '@/components/Notice';
import { useQueryParams } from '@/lib/use-query-params';
import { useCan } from '@/modules/config/capabilities';
import { purchaseNotice } from '@/modules/session/purchase-notice';
import { ResendVerification } from '@/modules/session/ResendVerification';
import { type SignInAttempt, SignInFailure } from '@/modules/session/SignInFailure';
import { DashboardDescription } from './DashboardSkeleton';

/** The text above the form: the reason why signing in failed, or else the result of the previous step. */
export const SignInNotice = (attempt: SignInAttempt) => (
  <SignInFailure {...attempt}>
    <PreviousStepNotice {...attempt} />
  </SignInFailure>
);

/** The result of the step that led to the form, such as a password reset or a purchase, or else a description. */
function PreviousStepNotice({ email, onInvalidEmail }: SignInAttempt) {
  const verifiedParam = useQueryParams().get('verified');
  const { passwordChanged, leftOrganisation } = (useLocation().state ?? {}) as {
    passwordChanged?: boolean;
    leftOrganisation?: string;
  };
  const canResend = useCan('verification');

  if (passwordChanged) {
    return (
      <Notice tone="success" className="mt-4" title="Your password was changed">
        <p>You were signed out everywhere. Sign in with the new password to go on.</p>
      </Notice>
    );
  }
  if (leftOrganisation) {
    return <Notice tone="success" className="mt-4" title={`You left ${leftOrganisation}`} />;
  }
  if (verifiedParam === '1') {
    return (
      <Notice tone="success" className="mt-4" title="Your email address is verified">
        <p>Sign in to go on.</p>
      </Notice>
    );
  }
  if (verifiedParam === '0') {
    return (
      <Notice tone="attention" className="mt-4" title="This link is unknown or too old">
        {canResend ? (
          <ResendVerification
            email={email}
            onInvalidEmail={onInvalidEmail}
            description="Type your email address below to get a new link. After 48 hours, please register again."
          />
        ) : (
          <p>Please open the link in the newest email, or register again.</p>
        )}
      </Notice>
    );
  }
  const purchase = purchaseNotice();
  if (purchase) {
    return (
      <Notice tone="success" className="figures mt-4" title={purchase.title}>
        <p>{`${unbreakAmounts(purchase.text)} Sign in to go on.`}</p>
      </Notice>
    );
  }
  return <DashboardDescription />;
}

/** Keeps each amount and its currency code on one line. */
const unbreakAmounts = (text: string): string => text.replace(/(\d) ([A-Z]{3})\b/g, '$1\u00a0$2');
