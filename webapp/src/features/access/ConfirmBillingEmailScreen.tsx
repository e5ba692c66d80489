import { useState } from 'react';
import { type BillingEmailConfirmation, confirmBillingEmail, showBillingEmail } from '@/api';
import { Button } from '@/components/Button';
import { Notice } from '@/components/Notice';
import { messageOf } from '@/lib/failure-message';
import { logFailure } from '@/lib/log';
import { AccessFrame } from './AccessFrame';
import { LinkScreen } from './LinkScreen';

const title = 'Confirm your email address';

/**
 * The page of the link that was sent to a new billing email. Only the button confirms the address, because mail
 * programs open the links of emails too.
 */
export default function ConfirmBillingEmailScreen() {
  return (
    <LinkScreen
      title={title}
      load={showBillingEmail}
      unknownLinkHelp={
        <p className="mt-4">
          A link is good for 48 hours, and only until another address is entered. The organisation
          can have a new one sent in its billing details.
        </p>
      }
    >
      {(confirmation, token) => <ConfirmationForm token={token} confirmation={confirmation} />}
    </LinkScreen>
  );
}

/** Shows the address and the organisation that wants to use it. The button confirms the address. */
function ConfirmationForm({
  token,
  confirmation,
}: {
  token: string;
  confirmation: BillingEmailConfirmation;
}) {
  const [state, setState] = useState<'idle' | 'busy' | 'confirmed'>('idle');
  const [failure, setFailure] = useState('');

  async function confirm() {
    setState('busy');
    setFailure('');
    try {
      await confirmBillingEmail(token);
      setState('confirmed');
    } catch (error) {
      logFailure('Confirming the billing email failed', error);
      setFailure(messageOf(error));
      setState('idle');
    }
  }

  if (state === 'confirmed') {
    return (
      <AccessFrame title="Your email address is confirmed" focusOnMount>
        <p className="mt-4 break-words">
          <strong>{confirmation.email}</strong> gets a copy of emails about billing of{' '}
          <strong>{confirmation.org}</strong>.
        </p>
      </AccessFrame>
    );
  }
  return (
    <AccessFrame title={title}>
      <p className="mt-4 break-words">
        <strong>{confirmation.org}</strong> wants a copy of emails about its billing to be sent to{' '}
        <strong>{confirmation.email}</strong>.
      </p>
      <div className="mt-6 space-y-4">
        <Button wide busy={state === 'busy'} onClick={confirm}>
          Confirm this address
        </Button>
        <p className="text-sm text-muted">
          If you do not want that, close this page. Nothing else is sent to this address.
        </p>
        {failure && <Notice tone="danger">{failure}</Notice>}
      </div>
    </AccessFrame>
  );
}
