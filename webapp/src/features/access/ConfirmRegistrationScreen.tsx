import { useState } from 'react';
import { type RegistrationSummary, rejectRegistration, showRegistration } from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import { ForgotPasswordLink } from '@/modules/session/ForgotPasswordLink';
import { AccessFrame } from './AccessFrame';
import { ConfirmRegistrationForm } from './ConfirmRegistrationForm';
import { LinkScreen } from './LinkScreen';

const title = 'Confirm your registration';

/**
 * The page of a verification link that was opened in another browser than the registration form. Another person may have
 * registered the address, so its owner confirms the registration with the password or deletes it. If the name of the
 * organisation is taken meanwhile, the owner chooses another name.
 */
export default function ConfirmRegistrationScreen() {
  return (
    <LinkScreen title={title} load={showRegistration} unknownLinkHelp={<UnknownLinkHelp />}>
      {(registration, token) => <LinkedRegistration registration={registration} token={token} />}
    </LinkScreen>
  );
}

interface LinkedRegistrationProps {
  token: string;
  registration: RegistrationSummary;
}

/** The registration of the link, or the reason why it can't be confirmed. */
function LinkedRegistration({ token, registration }: LinkedRegistrationProps) {
  const [isDeleted, setIsDeleted] = useState(false);
  const [isEmailTaken, setIsEmailTaken] = useState(registration.taken?.includes('email') ?? false);
  if (registration.replaced) return <ReplacedRegistration registration={registration} />;
  if (isEmailTaken) return <ExistingAccount registration={registration} />;
  if (isDeleted) return <DeletedRegistration registration={registration} />;
  return (
    <ConfirmationForm
      token={token}
      registration={registration}
      onDelete={() => setIsDeleted(true)}
      onEmailTaken={() => setIsEmailTaken(true)}
    />
  );
}

interface ConfirmationFormProps extends LinkedRegistrationProps {
  /** Called after the registration was deleted. */
  onDelete: () => void;
  /** Called if another registration with the email address was verified after the page was loaded. */
  onEmailTaken: () => void;
}

/**
 * Asks whether the visitor registered. One button opens the password form, the other deletes the registration. The form
 * is open from the start if the organisation needs another name.
 */
function ConfirmationForm(props: ConfirmationFormProps) {
  const { token, registration, onDelete, onEmailTaken } = props;
  const isNameTaken = registration.taken?.includes('org') ?? false;
  const [isPasswordFormOpen, setIsPasswordFormOpen] = useState(isNameTaken);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function reject() {
    setBusy(true);
    setFailure('');
    try {
      await rejectRegistration(token);
      onDelete();
    } catch (error) {
      logFailure('Deleting the registration failed', error);
      setFailure(messageOf(error));
      setBusy(false);
    }
  }

  return (
    <AccessFrame title={title}>
      {isNameTaken ? (
        <>
          <p className="mt-4 break-words">
            <strong>{registration.org}</strong> was registered with the email address{' '}
            <strong>{registration.email}</strong>.
          </p>
          <Notice tone="attention" className="mt-4" title="This name is taken">
            <p>
              Another organisation with this name was verified first. Please choose another name for
              yours.
            </p>
          </Notice>
        </>
      ) : (
        <p className="mt-4 break-words">
          <strong>{registration.org}</strong> was registered with the email address{' '}
          <strong>{registration.email}</strong>, in another browser than this one. Was it you?
        </p>
      )}
      <div className="mt-6 space-y-4">
        {isPasswordFormOpen ? (
          <ConfirmRegistrationForm
            token={token}
            registration={registration}
            isNameTaken={isNameTaken}
            onEmailTaken={onEmailTaken}
          />
        ) : (
          <Button wide onClick={() => setIsPasswordFormOpen(true)}>
            Yes, this is me
          </Button>
        )}
        <Button variant="secondary" wide busy={busy} onClick={reject}>
          I did not register
        </Button>
        <p className="text-sm text-muted">
          If you did not register, the registration is deleted, and nobody can sign in with it.
        </p>
        {failure && <Notice tone="danger">{failure}</Notice>}
      </div>
    </AccessFrame>
  );
}

function UnknownLinkHelp() {
  return (
    <>
      <p className="mt-4">
        A link is good for 48 hours after the registration. After that, please register again.
      </p>
      <SignInOrChoosePlan />
    </>
  );
}

function SignInOrChoosePlan() {
  return (
    <div className="mt-6 space-y-3">
      <AppLink to={routes.dash} className={buttonClass('primary', true)}>
        Sign in
      </AppLink>
      <AppLink to={routes.plans} className={buttonClass('secondary', true)}>
        Choose a plan
      </AppLink>
    </div>
  );
}

/** Says that a newer registration has replaced this one. The owner of a mistyped address may read it too. */
function ReplacedRegistration({ registration }: { registration: RegistrationSummary }) {
  return (
    <AccessFrame title="This registration was replaced" focusOnMount>
      <p className="mt-4 break-words">
        The registration of <strong>{registration.org}</strong> with the email address{' '}
        <strong>{registration.email}</strong> was replaced by a newer one from the same browser.
      </p>
      <p className="mt-4">
        Please look for our newest email and open its link. It may have been sent to another
        address. If you did not register, there is nothing to do.
      </p>
      <SignInOrChoosePlan />
    </AccessFrame>
  );
}

/** Says that the email address has an account, with links to sign in. */
function ExistingAccount({ registration: { org, email } }: { registration: RegistrationSummary }) {
  return (
    <AccessFrame title="This address has an account" focusOnMount>
      <p className="mt-4 break-words">
        An account with the email address <strong>{email}</strong> exists already, so the
        registration of <strong>{org}</strong> can't be confirmed. Please sign in to that account.
      </p>
      <div className="mt-6 space-y-4">
        <AppLink to={routes.dash} state={{ email }} className={buttonClass('primary', true)}>
          Sign in
        </AppLink>
        <p>
          <ForgotPasswordLink email={email} />
        </p>
      </div>
    </AccessFrame>
  );
}

function DeletedRegistration({ registration }: { registration: RegistrationSummary }) {
  return (
    <AccessFrame title="The registration was deleted" focusOnMount>
      <p className="mt-4 break-words">
        Nobody can sign in with it. Your email address <strong>{registration.email}</strong> is free
        to register with, should you want to.
      </p>
      <AppLink to={routes.plans} className={`${buttonClass('secondary', true)} mt-6`}>
        See the plans
      </AppLink>
    </AccessFrame>
  );
}
