import { type FormEvent, useRef, useState } from 'react';
import { useLoadedConfig } from '@/lib/config-store';
import { messageOf } from '@/lib/failure-message';
import { useSession, useSessionStore } from '@/lib/session-store';
import { emailKey } from '@/rules/contact';
import { Button } from './Button';
import { Card } from './Card';
import { Field } from './Field';
import { ForgotPasswordLink } from './ForgotPasswordLink';
import { Notice } from './Notice';
import { PageTitle } from './PageTitle';
import { SessionUnknown } from './SessionUnknown';

interface SignInHereProps {
  title: string;
  text: string;
  /** Fills in the email field. */
  email?: string;
}

/** A sign-in form in place of a screen, which is shown afterwards. */
export function SignInHere({ title, text, email: initialEmail = '' }: SignInHereProps) {
  const session = useSession();
  const signIn = useSessionStore((store) => store.signIn);
  const query = useLoadedConfig()?.loginQuery;
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const passwordInput = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setMissing(password === '');
    setFailure(undefined);
    if (password === '') return passwordInput.current?.focus();
    setBusy(true);
    const error = await signIn({ username: emailKey(email), password }, query);
    setBusy(false);
    if (error) setFailure(messageOf(error));
  }

  return (
    <div className="page max-w-lg py-10 sm:py-16">
      <Card className="sm:p-8">
        <PageTitle focused>{title}</PageTitle>
        <p className="mt-3 text-muted">{text}</p>
        {failure ? (
          <Notice tone="danger" className="mt-6">
            {failure}
          </Notice>
        ) : (
          session.status === 'signedOut' && session.error && <SessionUnknown />
        )}
        <form onSubmit={submit} noValidate className="mt-6 space-y-5">
          <Field
            label="Email"
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Field
            ref={passwordInput}
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={missing ? 'Password is required' : undefined}
          />
          {!initialEmail && (
            <p>
              <ForgotPasswordLink email={emailKey(email)} />
            </p>
          )}
          <Button type="submit" wide busy={busy}>
            Sign In
          </Button>
        </form>
      </Card>
    </div>
  );
}
