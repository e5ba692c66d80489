import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type ApiError, confirmRegistration } from '@/api';
import { logFailure } from '@/app/log';
import { paths } from '@/app/paths';
import { useGate } from '@/app/use-gate';
import { PasswordField } from '@/features/registration/PasswordField';
import { useSessionStore } from '@/features/session/session-store';
import { Button } from '@/ui/Button';
import { Link } from '@/ui/Link';

/** Asks for the password chosen at registration; the right one verifies the address and signs in. */
export function RegistrationPassword({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const gate = useGate();
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => input.current?.focus(), []);

  async function confirm(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (password === '') return fail('Password is required');
    setBusy(true);
    setError('');
    try {
      await confirmRegistration(token, password);
    } catch (error) {
      logFailure('Confirming the registration failed', error);
      return fail((error as ApiError).message);
    }
    await useSessionStore.getState().refresh();
    navigate(paths.dash(gate), { replace: true });
  }

  function fail(message: string) {
    setBusy(false);
    setError(message);
    input.current?.focus();
  }

  return (
    <form onSubmit={confirm} noValidate className="space-y-4">
      {/* Tells password managers whose password it is. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <PasswordField
        ref={input}
        label="Password chosen at registration"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={error}
      />
      <Button type="submit" wide busy={busy}>
        Confirm
      </Button>
      <p className="text-center">
        <Link to={paths.forgot(gate)} state={{ email }} className="text-link">
          Forgotten password?
        </Link>
      </p>
    </form>
  );
}
