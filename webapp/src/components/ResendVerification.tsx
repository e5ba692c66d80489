import { useState } from 'react';
import { resendVerification } from '@/api';
import { useCan } from '@/lib/capabilities';
import { messageOf } from '@/lib/failure-message';
import { checkEmail } from '@/rules/contact';
import { Button } from './Button';

interface ResendVerificationProps {
  email: string;
  /** Called instead of sending when the email address is invalid. */
  onNoEmail?: () => void;
  className?: string;
}

/**
 * A button that sends the verification email again; nothing if the server can't. The message does not
 * reveal whether the address has an account.
 */
export function ResendVerification({ email, onNoEmail, className }: ResendVerificationProps) {
  if (!useCan('verification')) return null;

  function send() {
    if (checkEmail(email) === 'ok') return resendVerification(email);
    onNoEmail?.();
    return undefined;
  }

  return (
    <SendAgain
      label="Send the email again"
      send={send}
      sent={`If an account with ${email} waits to be verified, a new link is on its way.`}
      className={className}
    />
  );
}

type Sending = { status: 'idle' | 'busy' } | { status: 'sent' | 'failed'; message: string };

interface SendAgainProps {
  label: string;
  /** Sends the email; returns nothing if there is none to send. */
  send: () => Promise<unknown> | undefined;
  /** The message after it was sent. */
  sent: string;
  className?: string;
}

/** A button that sends an email again, with its outcome. */
export function SendAgain({ label, send, sent, className }: SendAgainProps) {
  const [sending, setSending] = useState<Sending>({ status: 'idle' });

  async function press() {
    const response = send();
    if (!response) return;
    setSending({ status: 'busy' });
    try {
      await response;
      setSending({ status: 'sent', message: sent });
    } catch (error) {
      setSending({ status: 'failed', message: messageOf(error) });
    }
  }

  return (
    <div className={className}>
      <Button look="secondary" busy={sending.status === 'busy'} onClick={press}>
        {label}
      </Button>
      <p role="status" className="text-sm not-empty:mt-2">
        {'message' in sending && sending.message}
      </p>
    </div>
  );
}
