import { type FormEvent, useRef, useState } from 'react';
import type { ApiError } from '@/api';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { PasswordField } from '@/components/PasswordField';
import type { Elements } from '@/lib/elements';
import { useLoadedConfig } from '@/modules/config/config-store';
import { normalizeEmail } from '@/rules/codes';
import { messages } from '@/rules/messages';
import { ForgotPasswordLink } from './ForgotPasswordLink';
import type { SignInAttempt, SignInState } from './SignInFailure';
import { useSessionStore } from './session-store';

type FieldErrors = Partial<Record<'email' | 'password', string>>;

interface SignInFormProps {
  /** Fills in the email field. */
  email?: string;
  /** Renders the heading and the notices above the fields. */
  renderHeading: (attempt: SignInAttempt) => Elements;
  /** Whether the form has a link to the password reset, which leaves the screen. */
  hasResetLink?: boolean;
  onSignedIn?: () => void;
}

/** The sign-in form: email and password. */
export function SignInForm(props: SignInFormProps) {
  const { email: initialEmail = '', renderHeading, hasResetLink = true, onSignedIn } = props;
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState('');
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const { state, signIn } = useSignIn(onSignedIn);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (state.status === 'busy') return;
    const errors = fieldErrorsOf(email, password);
    setFieldErrors(errors);
    if (errors.email) emailInput.current?.focus();
    else if (errors.password) passwordInput.current?.focus();
    else void signIn(normalizeEmail(email), password);
  }

  function rejectEmail() {
    setFieldErrors({ email: messages.email[email ? 'invalid' : 'missing'] });
    emailInput.current?.focus();
  }

  return (
    <>
      {renderHeading({ state, email: normalizeEmail(email), onInvalidEmail: rejectEmail })}
      <form onSubmit={submit} noValidate className="mt-5 space-y-5">
        <Field
          ref={emailInput}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={fieldErrors.email}
        />
        <PasswordField
          ref={passwordInput}
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={fieldErrors.password}
        />
        {hasResetLink && (
          <p>
            <ForgotPasswordLink email={normalizeEmail(email)} />
          </p>
        )}
        <Button type="submit" wide busy={state.status === 'busy'}>
          Sign In
        </Button>
      </form>
    </>
  );
}

/** Returns the errors of empty fields. */
function fieldErrorsOf(email: string, password: string): FieldErrors {
  return {
    ...(normalizeEmail(email) === '' && { email: messages.email.missing }),
    ...(password === '' && { password: 'Password is required' }),
  };
}

/** Returns the state of the sign-in and the function that starts it. */
function useSignIn(onSignedIn?: () => void) {
  const query = useLoadedConfig()?.loginQuery;
  const [state, setState] = useState<SignInState>({ status: 'idle' });

  async function signIn(username: string, password: string) {
    setState({ status: 'busy' });
    const error: ApiError | null = await useSessionStore
      .getState()
      .signIn({ username, password }, query);
    setState(error ? { status: 'failed', error } : { status: 'idle' });
    if (!error) onSignedIn?.();
  }

  return { state, signIn };
}
