import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { ApiError, Credentials } from '@/api';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { PasswordField } from '@/components/PasswordField';
import type { Elements } from '@/lib/elements';
import { loadChunk } from '@/lib/load-chunk';
import { hasPasskeys } from '@/lib/passkeys';
import { useCan } from '@/modules/config/capabilities';
import { useLoadedConfig } from '@/modules/config/config-store';
import { normalizeEmail } from '@/rules/codes';
import { messages } from '@/rules/messages';
import { CodeFields } from './CodeFields';
import { ForgotPasswordLink } from './ForgotPasswordLink';
import type { SignInAttempt, SignInState } from './SignInFailure';
import { useSessionStore } from './session-store';

const PasskeySignIn = lazy(() => loadChunk(import('./PasskeySignIn')));

type FieldErrors = Partial<Record<'email' | 'password' | 'code', string>>;

interface SignInFormProps {
  /** Fills in the email field. */
  email?: string;
  /** Renders the heading and the notices above the fields. */
  renderHeading: (attempt: SignInAttempt) => Elements;
  /** Whether the form has a link to the password reset, which leaves the screen. */
  hasResetLink?: boolean;
  onSignedIn?: () => void;
}

/** The sign-in form: email and password, then a code if the server asks for one. */
export function SignInForm(props: SignInFormProps) {
  const { email: initialEmail = '', renderHeading, hasResetLink = true, onSignedIn } = props;
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({});
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  const { state, setState, needsCode, signIn, goBack } = useSignIn(onSignedIn);
  const offersPasskeys = useCan('passkeys') && hasPasskeys();

  // The field of the code had the focus, and is removed.
  const hadCode = useRef(false);
  useEffect(() => {
    if (hadCode.current && !needsCode) passwordInput.current?.focus();
    hadCode.current = needsCode;
  }, [needsCode]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (state.status === 'busy') return;
    const errors = needsCode ? codeErrors(code) : fieldErrorsOf(email, password);
    setFieldErrors(errors);
    if (errors.email) emailInput.current?.focus();
    else if (errors.password) passwordInput.current?.focus();
    else if (errors.code) codeInput.current?.focus();
    else {
      const credentials = { username: normalizeEmail(email), password };
      const error = await signIn(needsCode ? { ...credentials, code: code.trim() } : credentials);
      // A code works once, so it has to be typed again.
      if (error) setCode('');
      if (needsCode && error?.name === 'ERRCREDENTIALS') setPassword('');
    }
  }

  /** Removes the code and the messages about the kind of code that was asked for before. */
  function clearCode() {
    setCode('');
    setFieldErrors({});
    setState({ status: 'idle' });
  }

  function returnToPassword() {
    setCode('');
    setPassword('');
    setFieldErrors({});
    goBack();
  }

  function showInvalidEmail() {
    setFieldErrors({ email: messages.email[email ? 'invalid' : 'missing'] });
    emailInput.current?.focus();
  }

  return (
    <>
      {renderHeading({ state, email: normalizeEmail(email), onInvalidEmail: showInvalidEmail })}
      <form onSubmit={submit} noValidate className="mt-5 space-y-5">
        {needsCode ? (
          <CodeFields
            inputRef={codeInput}
            code={code}
            error={fieldErrors.code}
            onChange={setCode}
            onSwitch={clearCode}
            onBack={returnToPassword}
          />
        ) : (
          <>
            <Field
              ref={emailInput}
              label="Email"
              type="email"
              inputMode="email"
              autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
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
          </>
        )}
        <div className="space-y-3">
          <Button type="submit" wide busy={state.status === 'busy'}>
            Sign In
          </Button>
          {offersPasskeys && !needsCode && (
            <Suspense fallback={<div className="min-h-11" />}>
              <PasskeySignIn state={state} onState={setState} onSignedIn={onSignedIn} />
            </Suspense>
          )}
        </div>
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

const codeErrors = (code: string): FieldErrors =>
  code.trim() === '' ? { code: 'Code is required' } : {};

/** Returns the state of the sign-in, whether it needs a code, and the functions that change the state. */
function useSignIn(onSignedIn?: () => void) {
  const query = useLoadedConfig()?.loginQuery;
  const [state, setState] = useState<SignInState>({ status: 'idle' });
  const [needsCode, setNeedsCode] = useState(false);

  async function signIn(credentials: Credentials): Promise<ApiError | null> {
    setState({ status: 'busy' });
    const error = await useSessionStore.getState().signIn(credentials, query);
    setState(error ? { status: 'failed', error } : { status: 'idle' });
    setNeedsCode((isSecondStep) => needsCodeAfter(error, isSecondStep));
    if (!error) onSignedIn?.();
    return error;
  }

  function goBack() {
    setNeedsCode(false);
    setState({ status: 'idle' });
  }

  return { state, setState, needsCode, signIn, goBack };
}

/** Whether the form asks for a code after a failure. It asks for the password again if the password is wrong. */
const needsCodeAfter = (error: ApiError | null, isSecondStep: boolean): boolean =>
  error?.name === 'ERRSECONDFACTOR' ||
  error?.name === 'ERRCODE' ||
  (isSecondStep && error?.name !== 'ERRCREDENTIALS');
