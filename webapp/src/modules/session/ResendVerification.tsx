import { useState } from 'react';
import { resendVerification } from '@/api';
import { Button } from '@/components/Button';
import { messageOf } from '@/lib/failure-message';
import { useCountdown } from '@/lib/use-countdown';
import { useCan } from '@/modules/config/capabilities';
import { checkEmail } from '@/rules/contact';

interface ResendVerificationProps {
  email: string;
  /** Called instead of sending when the email address is invalid. */
  onNoEmail?: () => void;
  /** When the last email was sent, in milliseconds. */
  sentAt?: number;
  /** A text above the button, which the outcome replaces. */
  about?: string;
}

/**
 * A button that sends the verification email again, if the server can. The message does not reveal whether the
 * address has an account.
 */
export function ResendVerification({ email, onNoEmail, sentAt, about }: ResendVerificationProps) {
  if (!useCan('verification')) return about && <p>{about}</p>;

  function send() {
    if (checkEmail(email) === 'ok') return resendVerification(email);
    onNoEmail?.();
    return undefined;
  }

  return (
    <SendAgain
      label="Send the email again"
      send={send}
      sent="If this account waits to be verified, a new link is on its way."
      sentAt={sentAt}
      about={about}
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
  /** When the last one was sent, in milliseconds. */
  sentAt?: number;
  /** A text above the button, which the outcome replaces; without it the outcome is below. */
  about?: string;
  className?: string;
}

/** How long to wait for an email before it is sent again, in seconds. */
const resendDelay = 60;

/** A button that sends an email again, with its outcome; it counts down after one was sent. */
export function SendAgain({ label, send, sent, sentAt = 0, about, className }: SendAgainProps) {
  const [left, restart] = useCountdown(resendDelay, sentAt);
  const [sending, setSending] = useState<Sending>({ status: 'idle' });

  async function press() {
    const response = send();
    if (!response) return;
    setSending({ status: 'busy' });
    try {
      await response;
      setSending({ status: 'sent', message: sent });
      restart();
    } catch (error) {
      setSending({ status: 'failed', message: messageOf(error) });
    }
  }

  const message = 'message' in sending ? sending.message : undefined;
  return (
    <div className={className}>
      {about && (
        <p role="status" className="mb-3">
          {message ?? about}
        </p>
      )}
      <Button
        look="secondary"
        busy={sending.status === 'busy'}
        unavailable={left > 0}
        onClick={press}
      >
        <span>
          {label}
          {left > 0 && <span aria-hidden className="figures">{` in ${clockText(left)}`}</span>}
        </span>
      </Button>
      {!about && (
        <p role="status" className="text-sm not-empty:mt-2">
          {message}
        </p>
      )}
    </div>
  );
}

/** '0:42'. */
const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
