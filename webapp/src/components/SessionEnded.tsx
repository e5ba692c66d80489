import { type FormEvent, useRef, useState } from 'react';
import { useConfig } from '@/lib/config-store';
import { useSessionStore } from '@/lib/session-store';
import { emailKey } from '@/rules/contact';
import { Button } from './Button';
import { Card } from './Card';
import { Field } from './Field';
import { Notice } from './Notice';
import { PageTitle } from './PageTitle';

interface SessionEndedProps {
  /** Fills in the email field. */
  email: string;
}

/** Asks to sign in again, in place of a screen whose session ended. */
export function SessionEnded({ email: known }: SessionEndedProps) {
  const signIn = useSessionStore((store) => store.signIn);
  const query = useConfig()?.loginQuery;
  const [email, setEmail] = useState(known);
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
    if (error) setFailure(error.message);
  }

  return (
    <div className="page max-w-lg py-10 sm:py-16">
      <Card className="sm:p-8">
        <PageTitle focused>Your session has ended</PageTitle>
        <p className="mt-3 text-muted">
          Sign in again to go on where you were. Nothing was charged, and what you entered is kept.
        </p>
        {failure && (
          <Notice tone="danger" className="mt-6">
            {failure}
          </Notice>
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
          <Button type="submit" wide busy={busy}>
            Sign In
          </Button>
        </form>
      </Card>
    </div>
  );
}
