import { useState } from 'react';
import { type ApiError, resendVerification } from '@/api';
import { useCan } from '@/lib/capabilities';
import { checkEmail } from '@/rules/contact';
import { Button } from './Button';

type Sending = { status: 'idle' | 'busy' } | { status: 'sent' | 'failed'; message: string };

interface ResendVerificationProps {
  email: string;
  /** Called instead of sending when the email address is invalid. */
  onNoEmail?: () => void;
  className?: string;
}

/** A button that sends the verification email again; nothing if the server can't. */
export function ResendVerification({ email, onNoEmail, className }: ResendVerificationProps) {
  const [sending, setSending] = useState<Sending>({ status: 'idle' });

  if (!useCan('verification')) return null;

  async function send() {
    if (checkEmail(email) !== 'ok') return onNoEmail?.();
    setSending({ status: 'busy' });
    setSending(await resend(email));
  }

  return (
    <div className={className}>
      <Button look="secondary" busy={sending.status === 'busy'} onClick={send}>
        Send the email again
      </Button>
      <p role="status" className="text-sm not-empty:mt-2">
        {'message' in sending && sending.message}
      </p>
    </div>
  );
}

/** The message does not reveal whether the address has an account. */
async function resend(email: string): Promise<Sending> {
  try {
    await resendVerification(email);
    const message = `If an account with ${email} waits to be verified, a new link is on its way.`;
    return { status: 'sent', message };
  } catch (error) {
    const { message } = error as ApiError;
    return { status: 'failed', message: message || 'Please try again later!' };
  }
}
