import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type ApiError, confirmRegistration, type RegistrationSummary } from '@/api';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { PasswordField } from '@/components/PasswordField';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { routes } from '@/lib/paths';
import { ForgotPasswordLink } from '@/modules/session/ForgotPasswordLink';
import { useGo } from '@/modules/session/navigation';
import { useSessionStore } from '@/modules/session/session-store';
import { checkOrgName } from '@/rules/registration';
import { clean } from '@/rules/text';

/** The messages of the invalid fields. */
interface FormErrors {
  org?: string;
  password?: string;
}

interface ConfirmRegistrationFormProps {
  token: string;
  registration: RegistrationSummary;
  /** Whether another organisation with the name was verified first. */
  isNameTaken: boolean;
  /** Called if another registration with the email address was verified after the page was loaded. */
  onEmailTaken: () => void;
}

/**
 * The form that verifies the address with the password of the registration, and signs in. Asks for another name of the
 * organisation if the name is taken.
 */
export function ConfirmRegistrationForm(props: ConfirmRegistrationFormProps) {
  const { token, registration, isNameTaken, onEmailTaken } = props;
  const go = useGo();
  const [org, setOrg] = useState(registration.org);
  const [hasOrgField, setHasOrgField] = useState(isNameTaken);
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FormErrors>({});
  const orgInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (!isNameTaken) passwordInput.current?.focus();
  }, [isNameTaken]);
  useEffect(() => {
    const invalidInput = errors.org ? orgInput : errors.password ? passwordInput : null;
    invalidInput?.current?.focus();
  }, [errors]);

  async function confirm(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const invalid: FormErrors = {
      ...(hasOrgField && checkOrgName(org) && { org: checkOrgName(org) }),
      ...(password === '' && { password: 'Password is required' }),
    };
    setErrors(invalid);
    if (Object.keys(invalid).length > 0) return;
    setBusy(true);
    try {
      await confirmRegistration(token, password, hasOrgField ? clean(org) : undefined);
    } catch (error) {
      logFailure('Confirming the registration failed', error);
      showFailure(error as ApiError);
      return;
    }
    await useSessionStore.getState().refresh();
    go(routes.dash, { replace: true });
  }

  function showFailure(error: ApiError) {
    if (error.fields.email) return onEmailTaken();
    setBusy(false);
    if (error.fields.org) setHasOrgField(true);
    setErrors(error.fields.org ? { org: error.fields.org } : { password: messageOf(error) });
  }

  return (
    <form onSubmit={confirm} noValidate className="space-y-4">
      {/* Password managers store the password for this account. */}
      <input type="text" autoComplete="username" value={registration.email} readOnly hidden />
      {hasOrgField && (
        <Field
          ref={orgInput}
          label="Organization"
          autoComplete="organization"
          value={org}
          onChange={(event) => setOrg(event.target.value)}
          error={errors.org}
        />
      )}
      <PasswordField
        ref={passwordInput}
        label="Password chosen at registration"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={errors.password}
      />
      <Button type="submit" wide busy={busy}>
        Confirm
      </Button>
      <p>
        <ForgotPasswordLink email={registration.email} />
      </p>
    </form>
  );
}
