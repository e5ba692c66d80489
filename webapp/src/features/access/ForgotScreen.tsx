import { type FormEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { forgotPassword } from '@/api';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { routes } from '@/lib/paths';
import { AppLink } from '@/modules/session/AppLink';
import { registeredState } from '@/modules/session/navigation-state';
import { normalizeEmail } from '@/rules/codes';
import { checkEmail } from '@/rules/contact';
import { messages } from '@/rules/messages';
import { AccessFrame } from './AccessFrame';

/** The state of the request for the email with the link. */
type LinkRequest =
  | { status: 'idle' | 'busy' }
  | { status: 'sent'; email: string }
  | { status: 'failed'; message: string };

/** The form that requests a password reset email. */
export default function ForgotScreen() {
  const [email, setEmail] = useState(registeredState(useLocation().state).email ?? '');
  const [fieldError, setFieldError] = useState('');
  const [request, setRequest] = useState<LinkRequest>({ status: 'idle' });
  const input = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (request.status === 'busy') return;
    const address = normalizeEmail(email);
    const result = checkEmail(address);
    setFieldError(result === 'ok' ? '' : messages.email[result]);
    if (result !== 'ok') return input.current?.focus();
    setRequest({ status: 'busy' });
    setRequest(await requestLink(address));
  }

  return (
    <AccessFrame title="Forgotten password">
      <p className="mt-4">
        Type the email address that you sign in with. We send you a link to choose a new password.
      </p>
      <form onSubmit={submit} noValidate className="mt-6 space-y-5">
        <Field
          ref={input}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={fieldError}
        />
        <Button type="submit" wide busy={request.status === 'busy'}>
          Send the link
        </Button>
      </form>
      <RequestResult request={request} />
      <p className="mt-5 text-sm">
        <AppLink to={routes.dash} state={{ email }} className="text-link">
          Back to sign in
        </AppLink>
      </p>
    </AccessFrame>
  );
}

/** Shows the result of the request. A success does not reveal whether the address has an account. */
function RequestResult({ request }: { request: LinkRequest }) {
  if (request.status === 'sent') {
    return (
      <Notice tone="success" className="mt-6" title="Please check your inbox">
        <p>
          {`If there is an account with ${request.email}, a link is on its way. It is good for one hour and can be used once.`}
        </p>
      </Notice>
    );
  }
  if (request.status !== 'failed') return null;
  return (
    <Notice tone="danger" className="mt-6">
      {request.message}
    </Notice>
  );
}

async function requestLink(email: string): Promise<LinkRequest> {
  try {
    await forgotPassword(email);
    return { status: 'sent', email };
  } catch (error) {
    logFailure('Requesting a password reset failed', error);
    return { status: 'failed', message: messageOf(error) };
  }
}
