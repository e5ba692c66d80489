import { type FormEvent, useEffect, useRef, useState } from 'react';
import {
  confirmRegistration,
  type RegistrationSummary,
  rejectRegistration,
  showRegistration,
} from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { PasswordField } from '@/components/PasswordField';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import { ForgotPasswordLink } from '@/modules/session/ForgotPasswordLink';
import { useGo } from '@/modules/session/navigation';
import { useSessionStore } from '@/modules/session/session-store';
import { AccessFrame } from './AccessFrame';
import { LinkScreen } from './LinkScreen';

const title = 'Confirm your registration';

/**
 * The page of a verification link that was opened in another browser than the registration form. Someone else may have
 * registered the address, so its owner confirms the registration with the password or deletes it.
 */
export default function ConfirmRegistrationScreen() {
  const [isDeleted, setIsDeleted] = useState(false);
  return (
    <LinkScreen title={title} load={showRegistration} unknownLinkHelp={<UnknownLinkHelp />}>
      {(registration, token) =>
        isDeleted ? (
          <DeletedRegistration registration={registration} />
        ) : (
          <ConfirmationForm
            token={token}
            registration={registration}
            onDelete={() => setIsDeleted(true)}
          />
        )
      }
    </LinkScreen>
  );
}

interface ConfirmationFormProps {
  token: string;
  registration: RegistrationSummary;
  /** Called after the registration was deleted. */
  onDelete: () => void;
}

/** Asks whether the visitor registered. One button opens the password form, the other deletes the registration. */
function ConfirmationForm({ token, registration, onDelete }: ConfirmationFormProps) {
  const [isPasswordFormOpen, setIsPasswordFormOpen] = useState(false);
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
      <p className="mt-4 break-words">
        <strong>{registration.org}</strong> was registered with the email address{' '}
        <strong>{registration.email}</strong>, in another browser than this one. Was it you?
      </p>
      <div className="mt-6 space-y-4">
        {isPasswordFormOpen ? (
          <PasswordForm token={token} email={registration.email} />
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
      <div className="mt-6 space-y-3">
        <AppLink to={routes.dash} className={buttonClass('primary', true)}>
          Sign in
        </AppLink>
        <AppLink to={routes.plans} className={buttonClass('secondary', true)}>
          Choose a plan
        </AppLink>
      </div>
    </>
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

/** The form that verifies the address with the password of the registration, and signs in. */
function PasswordForm({ token, email }: { token: string; email: string }) {
  const go = useGo();
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [fieldError, setFieldError] = useState('');
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => input.current?.focus(), []);

  async function confirm(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (password === '') return showFieldError('Password is required');
    setBusy(true);
    setFieldError('');
    try {
      await confirmRegistration(token, password);
    } catch (error) {
      logFailure('Confirming the registration failed', error);
      return showFieldError(messageOf(error));
    }
    await useSessionStore.getState().refresh();
    go(routes.dash, { replace: true });
  }

  function showFieldError(message: string) {
    setBusy(false);
    setFieldError(message);
    input.current?.focus();
  }

  return (
    <form onSubmit={confirm} noValidate className="space-y-4">
      {/* Password managers store the password for this account. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <PasswordField
        ref={input}
        label="Password chosen at registration"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={fieldError}
      />
      <Button type="submit" wide busy={busy}>
        Confirm
      </Button>
      <p>
        <ForgotPasswordLink email={email} />
      </p>
    </form>
  );
}
