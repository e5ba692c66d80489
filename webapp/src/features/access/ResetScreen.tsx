import { type FormEvent, useRef, useState } from 'react';
import { type ApiError, resetPassword } from '@/api';
import { Button, buttonClass } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { NewPasswordWithChecklist, PasswordField } from '@/components/PasswordField';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import { useGo } from '@/modules/session/navigation';
import { useEasyToGuessMessage } from '@/modules/session/password-rules';
import { useSessionStore } from '@/modules/session/session-store';
import { invalidOnly } from '@/rules/messages';
import { passwordMessage, repeatMessage } from '@/rules/password';
import { AccessFrame } from './AccessFrame';
import { useToken } from './use-token';

/** The messages of the invalid fields, by wire name. */
interface FieldErrors {
  password?: string;
  password_repeat?: string;
}

/** The page of a password reset link: the form for a new password. */
export default function ResetScreen() {
  const token = useToken();
  const [isRejected, setIsRejected] = useState(false);
  if (isRejected || token === '') return <InvalidLink />;
  return <NewPasswordForm token={token} onInvalidLink={() => setIsRejected(true)} />;
}

interface NewPasswordFormProps {
  token: string;
  onInvalidLink: () => void;
}

function NewPasswordForm({ token, onInvalidLink }: NewPasswordFormProps) {
  const [password, setPassword] = useState('');
  const [repeatedPassword, setRepeatedPassword] = useState('');
  const guessMessage = useEasyToGuessMessage(password, {}); // only the server knows whose link it is
  const passwordInput = useRef<HTMLInputElement>(null);
  const repeatInput = useRef<HTMLInputElement>(null);
  const { busy, failure, reset } = usePasswordReset(token, onInvalidLink);
  const [errors, setErrors] = useState<FieldErrors>({});

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const fieldErrors = validatePasswords(password, repeatedPassword, guessMessage);
    const isValid = Object.keys(fieldErrors).length === 0;
    showErrors(isValid ? await reset(password, repeatedPassword) : fieldErrors);
  }

  /** Shows the messages at their fields and focuses the first one. */
  function showErrors(newErrors: FieldErrors) {
    setErrors(newErrors);
    if (newErrors.password) passwordInput.current?.focus();
    else if (newErrors.password_repeat) repeatInput.current?.focus();
  }

  return (
    <AccessFrame title="Choose a new password">
      <p className="mt-4">
        You will be signed out everywhere. Sign in again with the new password.
      </p>
      <form onSubmit={submit} noValidate className="mt-6 space-y-5">
        <NewPasswordWithChecklist
          ref={passwordInput}
          label="New password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={errors.password}
          guessMessage={guessMessage}
        />
        <PasswordField
          ref={repeatInput}
          label="Confirm new password"
          autoComplete="new-password"
          value={repeatedPassword}
          onChange={(event) => setRepeatedPassword(event.target.value)}
          error={errors.password_repeat}
        />
        <Button type="submit" wide busy={busy}>
          Change password
        </Button>
        {failure && <Notice tone="danger">{failure}</Notice>}
      </form>
    </AccessFrame>
  );
}

function validatePasswords(
  password: string,
  repeatedPassword: string,
  guessMessage: string,
): FieldErrors {
  return invalidOnly([
    ['password', passwordMessage(password) || guessMessage],
    ['password_repeat', repeatMessage(password, repeatedPassword)],
  ]);
}

/**
 * Returns `reset`, which sends the new password and then opens the sign-in form. After a failure it resolves to the
 * server's messages for the fields; `failure` is a message that belongs to no field.
 */
function usePasswordReset(token: string, onInvalidLink: () => void) {
  const go = useGo();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function reset(password: string, repeatedPassword: string): Promise<FieldErrors> {
    setBusy(true);
    setFailure('');
    try {
      const { email } = await resetPassword(token, password, repeatedPassword);
      await useSessionStore.getState().refresh();
      go(routes.dash, { replace: true, state: { email, passwordChanged: true } });
      return {};
    } catch (error) {
      logFailure('Changing the password failed', error);
      showFailure(error as ApiError);
      return (error as ApiError).fields;
    }
  }

  function showFailure(error: ApiError) {
    const { status, fields } = error;
    setBusy(false);
    if (status === 404) onInvalidLink();
    else if (!fields.password && !fields.password_repeat) setFailure(messageOf(error));
  }

  return { busy, failure, reset };
}

function InvalidLink() {
  return (
    <AccessFrame title="This link can not be used" focusOnMount>
      <p className="mt-4">
        It is unknown, was used before, or is more than an hour old. Have a new one sent to you.
      </p>
      <AppLink to={routes.forgot} className={`${buttonClass('primary', true)} mt-6`}>
        Send a new link
      </AppLink>
    </AccessFrame>
  );
}
