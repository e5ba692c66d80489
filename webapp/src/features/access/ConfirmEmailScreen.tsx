import { useState } from 'react';
import type { EmailChange } from '@/api';
import { confirmEmailChange, showEmailChange } from '@/api/email-change';
import { Button, buttonClass } from '@/components/Button';
import { Loading } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import { SignInFailure } from '@/modules/session/SignInFailure';
import { SignInForm } from '@/modules/session/SignInForm';
import { useSession, useSessionStore } from '@/modules/session/session-store';
import { AccessFrame } from './AccessFrame';
import { LinkScreen } from './LinkScreen';
import { OtherAccount } from './OtherAccount';

const title = 'Confirm your new email';

/**
 * The page of the link that was sent to a new email of a user. Only the button confirms the email, and only in a session of
 * this user, because the address may belong to another person.
 */
export default function ConfirmEmailScreen() {
  const session = useSession();
  if (session.status === 'loading') {
    return (
      <AccessFrame title={title}>
        <Loading />
      </AccessFrame>
    );
  }
  return (
    <LinkScreen
      key={session.status === 'signedIn' ? session.user.id : ''} // the content depends on the user
      title={title}
      load={showEmailChange}
      unknownLinkHelp={
        <>
          <p className="mt-4">
            The link works once, for 48 hours. You can request a new one on your account page.
          </p>
          <AppLink to={routes.account} className={`${buttonClass('secondary', true)} mt-6`}>
            Go to your account
          </AppLink>
        </>
      }
    >
      {(change, token) => <EmailChangeSteps token={token} change={change} />}
    </LinkScreen>
  );
}

interface EmailChangeStepsProps {
  token: string;
  change: EmailChange;
}

/** Asks the user to sign in to the account, if necessary, and to confirm the address. */
function EmailChangeSteps({ token, change }: EmailChangeStepsProps) {
  const session = useSession();
  if (change.signedIn) return <ConfirmationForm token={token} change={change} />;
  if (session.status === 'signedIn') {
    return (
      <OtherAccount title={title} hint={<IgnoreHint />}>
        <p className="mt-4 break-words">
          You are signed in as <strong translate="no">{session.user.email}</strong>. This link is
          for the account of <strong translate="no">{change.account}</strong>.
        </p>
      </OtherAccount>
    );
  }
  return (
    <AccessFrame title={title}>
      <SignInForm
        renderHeading={(attempt) => (
          <>
            <p className="mt-4 break-words">
              Sign in as <strong translate="no">{change.account}</strong> to use{' '}
              <strong translate="no">{change.email}</strong> for that account.
            </p>
            <SignInFailure {...attempt} />
          </>
        )}
      />
      <IgnoreHint />
    </AccessFrame>
  );
}

const IgnoreHint = () => (
  <p className="mt-4 text-sm text-muted">
    If you do not know this account, close this page. Nothing is changed.
  </p>
);

function ConfirmationForm({ token, change }: EmailChangeStepsProps) {
  const [state, setState] = useState<'idle' | 'busy' | 'confirmed'>('idle');
  const [failure, setFailure] = useState('');

  async function confirm() {
    setState('busy');
    setFailure('');
    try {
      await confirmEmailChange(token);
      await useSessionStore.getState().refresh();
      setState('confirmed');
    } catch (error) {
      logFailure('Confirming the new email failed', error);
      setFailure(messageOf(error));
      setState('idle');
    }
  }

  if (state === 'confirmed') {
    return (
      <AccessFrame title="Your new email is confirmed" focusOnMount>
        <p className="mt-4 break-words">
          You now sign in with <strong translate="no">{change.email}</strong>. You are signed out in
          all other browsers.
        </p>
        <AppLink to={routes.account} className={`${buttonClass('primary', true)} mt-6`}>
          Go to your account
        </AppLink>
      </AccessFrame>
    );
  }
  return (
    <AccessFrame title={title}>
      <p className="mt-4 break-words">
        You will sign in with <strong translate="no">{change.email}</strong> instead of{' '}
        <strong translate="no">{change.account}</strong>.
      </p>
      <div className="mt-6 space-y-4">
        <Button wide busy={state === 'busy'} onClick={confirm}>
          Confirm this address
        </Button>
        {failure && <Notice tone="danger">{failure}</Notice>}
      </div>
    </AccessFrame>
  );
}
