import { useState } from 'react';
import { showUndo, undoChange } from '@/api/email-change';
import { EmailLink } from '@/components/EmailLink';
import { useLoadedConfig } from '@/modules/config/config-store';
import { AccessFrame } from './AccessFrame';
import { LinkScreen } from './LinkScreen';
import { NewPasswordForm } from './NewPasswordForm';

function UnknownLinkHelp() {
  const email = useLoadedConfig()?.contact.email;
  return (
    <>
      <p className="mt-4">The link works once, for 7 days.</p>
      {email && (
        <p className="mt-2">
          If another person uses your account, please write to <EmailLink to={email} />.
        </p>
      )}
    </>
  );
}

/** The page of the link in an email about a change, with which the owner of the mailbox recovers the account. */
export default function UndoScreen() {
  return (
    <LinkScreen title="Undo the change" load={showUndo} unknownLinkHelp={<UnknownLinkHelp />}>
      {({ email }, token) => <UndoForm email={email} token={token} />}
    </LinkScreen>
  );
}

function UndoForm({ email, token }: { email: string; token: string }) {
  const [isRejected, setIsRejected] = useState(false);
  if (isRejected) {
    return (
      <AccessFrame title="This link is unknown or too old" focusOnMount>
        <UnknownLinkHelp />
      </AccessFrame>
    );
  }
  return (
    <AccessFrame title="Undo the change">
      <p className="mt-4 break-words">
        Choose a new password for the account of <strong translate="no">{email}</strong>.
      </p>
      <ul className="mt-3 list-disc space-y-1 pl-5">
        <li>This address becomes the email of your account again.</li>
        <li>An authenticator app and passkeys that were added in the last 7 days are removed.</li>
        <li>Invitations that were sent in your name are deleted.</li>
        <li>All browsers are signed out.</li>
      </ul>
      <NewPasswordForm
        label="Undo and change password"
        logMessage="Undoing the change failed"
        send={(password, repeatedPassword) => undoChange(token, password, repeatedPassword)}
        onInvalidLink={() => setIsRejected(true)}
      />
    </AccessFrame>
  );
}
