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
  onInvalidEmail?: () => void;
  /** When the last email was sent, in milliseconds. */
  sentAt?: number;
  /** A text above the button, which the outcome replaces. */
  description?: string;
}

/**
 * A button that sends the verification email again. Without the capability only the description is shown. The message
 * does not reveal whether the address has an account.
 */
export function ResendVerification({
  email,
  onInvalidEmail,
  sentAt,
  description,
}: ResendVerificationProps) {
  if (!useCan('verification')) return description && <p>{description}</p>;

  function send() {
    if (checkEmail(email) === 'ok') return resendVerification(email);
    onInvalidEmail?.();
    return undefined;
  }

  return (
    <ResendButton
      label="Send the email again"
      send={send}
      sentMessage="If this account waits to be verified, a new link is on its way."
      sentAt={sentAt}
      description={description}
    />
  );
}

type SendState = { status: 'idle' | 'busy' } | { status: 'sent' | 'failed'; message: string };

interface ResendButtonProps {
  label: string;
  /** Sends the email; returns undefined if none can be sent. */
  send: () => Promise<unknown> | undefined;
  /** The message after the email was sent. */
  sentMessage: string;
  /** When the last email was sent, in milliseconds. */
  sentAt?: number;
  /** A text above the button, which the outcome replaces. Without it the outcome is shown below the button. */
  description?: string;
  className?: string;
}

/** The delay before an email can be sent again, in seconds. */
const resendDelay = 60;

/** A button that sends an email and shows the outcome. After that it counts down until the email can be sent again. */
export function ResendButton({
  label,
  send,
  sentMessage,
  sentAt = 0,
  description,
  className,
}: ResendButtonProps) {
  const [secondsLeft, restartCountdown] = useCountdown(resendDelay, sentAt);
  const [state, setState] = useState<SendState>({ status: 'idle' });

  async function resend() {
    const response = send();
    if (!response) return;
    setState({ status: 'busy' });
    try {
      await response;
      setState({ status: 'sent', message: sentMessage });
      restartCountdown();
    } catch (error) {
      setState({ status: 'failed', message: messageOf(error) });
    }
  }

  const message = 'message' in state ? state.message : undefined;
  return (
    <div className={className}>
      {description && (
        <p role="status" className="mb-3">
          {message ?? description}
        </p>
      )}
      <Button
        variant="secondary"
        busy={state.status === 'busy'}
        unavailable={secondsLeft > 0}
        onClick={resend}
      >
        <span>
          <span>{label}</span>
          {secondsLeft > 0 && (
            <span aria-hidden className="figures">{` in ${clockText(secondsLeft)}`}</span>
          )}
        </span>
      </Button>
      {!description && (
        <p role="status" className="text-sm not-empty:mt-2">
          {message}
        </p>
      )}
    </div>
  );
}

/** Returns '0:42'. */
const clockText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
