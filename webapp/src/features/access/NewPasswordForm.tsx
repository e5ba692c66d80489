import { type FormEvent, useRef, useState } from 'react';
import type { ApiError } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { NewPasswordWithChecklist, PasswordField } from '@/components/PasswordField';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { routes } from '@/lib/paths';
import { useGo } from '@/modules/session/navigation';
import { useWeakPasswordMessage } from '@/modules/session/password-rules';
import { useSessionStore } from '@/modules/session/session-store';
import { invalidOnly } from '@/rules/messages';
import { passwordMessage, repeatMessage } from '@/rules/password';

/** The messages of the invalid fields, under their names in the API. */
interface FieldErrors {
  password?: string;
  password_repeat?: string;
}

interface NewPasswordFormProps {
  /** The label of the button. */
  label: string;
  /** Sends the new password, and resolves to the email to sign in with. */
  send: (password: string, repeatedPassword: string) => Promise<{ email: string }>;
  /** The message with which a failure is logged. */
  logMessage: string;
  onInvalidLink: () => void;
}

/** The form with which the owner of a mailbox chooses a new password. It then opens the sign-in form. */
export function NewPasswordForm({ label, ...options }: NewPasswordFormProps) {
  const [password, setPassword] = useState('');
  const [repeatedPassword, setRepeatedPassword] = useState('');
  const weakMessage = useWeakPasswordMessage(password, {}); // only the server knows whose link it is
  const passwordInput = useRef<HTMLInputElement>(null);
  const repeatInput = useRef<HTMLInputElement>(null);
  const { busy, failure, submitPassword } = useNewPassword(options);
  const [errors, setErrors] = useState<FieldErrors>({});

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const fieldErrors = validatePasswords(password, repeatedPassword, weakMessage);
    const isValid = Object.keys(fieldErrors).length === 0;
    showErrors(isValid ? await submitPassword(password, repeatedPassword) : fieldErrors);
  }

  /** Shows the messages at their fields and focuses the first one. */
  function showErrors(newErrors: FieldErrors) {
    setErrors(newErrors);
    if (newErrors.password) passwordInput.current?.focus();
    else if (newErrors.password_repeat) repeatInput.current?.focus();
  }

  return (
    <form onSubmit={submit} noValidate className="mt-6 space-y-5">
      <NewPasswordWithChecklist
        ref={passwordInput}
        label="New password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={errors.password}
        weakMessage={weakMessage}
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
        {label}
      </Button>
      {failure && <Notice tone="danger">{failure}</Notice>}
    </form>
  );
}

function validatePasswords(
  password: string,
  repeatedPassword: string,
  weakMessage: string,
): FieldErrors {
  return invalidOnly([
    ['password', passwordMessage(password) || weakMessage],
    ['password_repeat', repeatMessage(password, repeatedPassword)],
  ]);
}

/**
 * Returns `submitPassword`, which sends the new password and then opens the sign-in form. It resolves to the server's
 * messages for the fields; `failure` is the message of a failure that belongs to no field.
 */
function useNewPassword(options: Omit<NewPasswordFormProps, 'label'>) {
  const go = useGo();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function submitPassword(password: string, repeatedPassword: string): Promise<FieldErrors> {
    setBusy(true);
    setFailure('');
    try {
      const { email } = await options.send(password, repeatedPassword);
      await useSessionStore.getState().refresh();
      go(routes.dash, { replace: true, state: { email, passwordChanged: true } });
      return {};
    } catch (error) {
      logFailure(options.logMessage, error);
      showFailure(error as ApiError);
      return (error as ApiError).fields;
    }
  }

  function showFailure(error: ApiError) {
    const { status, fields } = error;
    setBusy(false);
    if (status === 404) options.onInvalidLink();
    else if (!fields.password && !fields.password_repeat) setFailure(messageOf(error));
  }

  return { busy, failure, submitPassword };
}
