import { useRef, useState } from 'react';
import type { UserAccount } from '@/api';
import { cancelEmailChange, requestEmailChange } from '@/api/email-change';
import { AccountSection } from '@/components/AccountSection';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { Notice } from '@/components/Notice';
import { useConfig } from '@/modules/config/config-store';
import { useConfirmedCall } from '@/modules/session/ConfirmIdentity';
import { longDateTime } from '@/modules/session/date-times';
import { SendResult } from '@/modules/session/SendResult';
import { type SendState, sendStateAfter, useSectionForm } from '@/modules/session/use-section-form';
import { normalizeEmail } from '@/rules/codes';
import { checkEmailForm } from '@/rules/profile';

interface EmailSectionProps {
  account: UserAccount;
  /** Loads the account again after a change. */
  reload: () => Promise<unknown>;
}

/** The email of the user, and the form that requests another one. */
export function EmailSection({ account, reload }: EmailSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { callWithConfirmation, dialog } = useConfirmedCall();
  const { field, state, submit, reset } = useSectionForm({
    initialValues: { email: '' },
    isEmptiedWhenDone: true,
    check: checkEmailForm,
    failure: 'The email could not be changed',
    send: async ({ email }) => {
      await callWithConfirmation(() => requestEmailChange(normalizeEmail(email)));
      await reload();
    },
  });
  const [cancelState, setCancelState] = useState<SendState>({ status: 'idle' });

  async function cancel() {
    setCancelState({ status: 'busy' });
    const result = await sendStateAfter('The new email could not be cancelled', async () => {
      await callWithConfirmation(cancelEmailChange);
      await reload();
    });
    setCancelState(result);
    if (result.status !== 'done') return;
    reset(); // removes the message about the link, which no longer works
    heading.current?.focus(); // the pressed button is removed
  }

  return (
    <AccountSection title="Email" description="You sign in with this address." headingRef={heading}>
      <div className="space-y-5">
        <p className="wrap-anywhere" translate="no">
          {account.email}
        </p>
        {account.newEmail && (
          <PendingEmail
            newEmail={account.newEmail}
            busy={cancelState.status === 'busy'}
            onCancel={() => void cancel()}
          />
        )}
        {cancelState.status === 'failed' && (
          <SendResult
            state={cancelState}
            doneTitle=""
            failedTitle="The new email was not cancelled"
          />
        )}
        <form onSubmit={submit} noValidate className="space-y-5">
          <Field
            label="New email"
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            {...field('email')}
          />
          <Button
            variant="secondary"
            type="submit"
            busy={state.status === 'busy'}
            busyLabel="Sending..."
          >
            Change email
          </Button>
          <SendResult
            state={state}
            doneTitle="Please check the inbox of your new email"
            doneText="Open the link in our email to confirm the address. Until then you sign in with the current one."
            failedTitle="Your email was not changed"
          />
        </form>
      </div>
      {dialog}
    </AccountSection>
  );
}

interface PendingEmailProps {
  newEmail: NonNullable<UserAccount['newEmail']>;
  busy: boolean;
  onCancel: () => void;
}

function PendingEmail({ newEmail, busy, onCancel }: PendingEmailProps) {
  const { timeZone } = useConfig();
  const until = longDateTime(new Date(newEmail.expiresAt), timeZone);
  return (
    <Notice live={false} title="Not confirmed yet">
      <p className="wrap-anywhere" translate="no">
        {newEmail.email}
      </p>
      <p>{`The link in our email works until ${until}.`}</p>
      <Button variant="secondary" small className="mt-3" busy={busy} onClick={onCancel}>
        <span>Cancel</span>
        <span className="sr-only">{` the change to ${newEmail.email}`}</span>
      </Button>
    </Notice>
  );
}
