import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { AppLink } from '@/components/AppLink';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { ForgotPasswordLink } from '@/components/ForgotPasswordLink';
import { Call } from '@/components/illustrations/Call';
import { PageTitle } from '@/components/PageTitle';
import { PasswordField } from '@/components/PasswordField';
import { useLoadedConfig } from '@/lib/config-store';
import { useGo } from '@/lib/navigation';
import { registeredState } from '@/lib/navigation-state';
import { forgetPaid, paidEmail } from '@/lib/paid-before-sign-out';
import { routes } from '@/lib/paths';
import { useSessionStore } from '@/lib/session-store';
import { emailKey } from '@/rules/contact';
import { messages } from '@/rules/messages';
import { SignInNotice, type SigningIn } from './SignInNotice';

type Missing = Partial<Record<'email' | 'password', string>>;

/** The sign-in form with notices about verification. */
export function SignInForm() {
  const { email: known } = registeredState(useLocation().state);
  const [email, setEmail] = useState(known ?? paidEmail() ?? '');
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<Missing>({});
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const { state, signIn } = useSignIn();

  function submit(event: FormEvent) {
    event.preventDefault();
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
    <SignInFrame>
      {/* Grows upwards, so that the fields stay where they are when a notice appears. */}
      <div className="flex min-h-36 flex-col @min-[60rem]:min-h-52 justify-end">
        <PageTitle>Sign in</PageTitle>
        <SignInNotice state={state} email={emailKey(email)} onNoEmail={askForEmail} />
      </div>
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
        <p>
          <ForgotPasswordLink email={emailKey(email)} />
        </p>
        <Button type="submit" wide busy={state.status === 'busy'}>
          Sign In
        </Button>
      </form>
      <p className="mt-5 text-sm text-muted">
        No account yet?{' '}
        <AppLink to={routes.plans} className="text-link">
          Choose a plan
        </AppLink>
      </p>
    </SignInFrame>
  );
}

/** The form beside an illustration, where it fits. */
const SignInFrame = ({ children }: { children: ReactNode }) => (
  <div className="page @container">
    <div className="mx-auto flex max-w-5xl items-center justify-center gap-20 pb-8 @min-[60rem]:justify-between">
      <div className="w-full max-w-100">{children}</div>
      <Call className="hidden w-120 min-w-0 shrink @min-[60rem]:block" />
    </div>
  </div>
);

function missingOf(email: string, password: string): Missing {
  return {
    ...(emailKey(email) === '' && { email: messages.email.missing }),
    ...(password === '' && { password: 'Password is required' }),
  };
}

/** The state of the sign-in form and its submission. */
function useSignIn() {
  const go = useGo();
  const query = useLoadedConfig()?.loginQuery;
  const [state, setState] = useState<SigningIn>({ status: 'idle' });

  async function signIn(username: string, password: string) {
    setState({ status: 'busy' });
    const error = await useSessionStore.getState().signIn({ username, password }, query);
    setState(error ? { status: 'failed', error } : { status: 'idle' });
    if (!error) forgetPaid();
    // Removes the notice about a verification from the address; the focus moves to the new heading.
    if (!error) go(routes.dash, { replace: true });
  }

  return { state, signIn };
}
