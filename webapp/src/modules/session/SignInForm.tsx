import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { ApiError } from '@/api';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { PasswordField } from '@/components/PasswordField';
import { useLoadedConfig } from '@/modules/config/config-store';
import { emailKey } from '@/rules/contact';
import { messages } from '@/rules/messages';
import { ForgotPasswordLink } from './ForgotPasswordLink';
import { forgetPaidEmail } from './paid-before-sign-out';
import type { SignInAttempt, SigningIn } from './SignInFailure';
import { useSessionStore } from './session-store';

type Missing = Partial<Record<'email' | 'password', string>>;

interface SignInFormProps {
  /** Fills in the email field. */
  email?: string;
  /** Renders the heading and the notices above the fields. */
  renderHeading: (attempt: SignInAttempt) => ReactNode;
  /** Whether the form has a link to the password reset, which leaves the screen. */
  hasReset?: boolean;
  onSignedIn?: () => void;
}

/** The sign-in form: email and password. */
export function SignInForm(props: SignInFormProps) {
  const { email: initialEmail = '', renderHeading, hasReset = true, onSignedIn } = props;
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<Missing>({});
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const { signingIn, signIn } = useSignIn(onSignedIn);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (signingIn.status === 'busy') return;
    const errors = missingOf(email, password);
    setMissing(errors);
    if (errors.email) emailInput.current?.focus();
    else if (errors.password) passwordInput.current?.focus();
    else void signIn(emailKey(email), password);
  }

  function askForEmail() {
    setMissing({ email: messages.email[email ? 'invalid' : 'missing'] });
    emailInput.current?.focus();
  }

  return (
    <>
      {renderHeading({ signingIn, email: emailKey(email), onInvalidEmail: askForEmail })}
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
          error={missing.email}
        />
        <PasswordField
          ref={passwordInput}
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={missing.password}
        />
        {hasReset && (
          <p>
            <ForgotPasswordLink email={emailKey(email)} />
          </p>
        )}
        <Button type="submit" wide busy={signingIn.status === 'busy'}>
          Sign In
        </Button>
      </form>
    </>
  );
}

function missingOf(email: string, password: string): Missing {
  return {
    ...(emailKey(email) === '' && { email: messages.email.missing }),
    ...(password === '' && { password: 'Password is required' }),
  };
}

/** The state of the sign-in and the function that starts it. */
function useSignIn(onSignedIn?: () => void) {
  const query = useLoadedConfig()?.loginQuery;
  const [signingIn, setSigningIn] = useState<SigningIn>({ status: 'idle' });

  async function signIn(username: string, password: string) {
    setSigningIn({ status: 'busy' });
    const error: ApiError | null = await useSessionStore
      .getState()
      .signIn({ username, password }, query);
    setSigningIn(error ? { status: 'failed', error } : { status: 'idle' });
    if (error) return;
    forgetPaidEmail();
    onSignedIn?.();
  }

  return { signingIn, signIn };
}
