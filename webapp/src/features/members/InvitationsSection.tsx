import { useRef } from 'react';
import { type Invitation, resendInvitation, revokeInvitation } from '@/api/members';
import { AccountSection } from '@/components/AccountSection';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { useConfig } from '@/modules/config/config-store';
import { longDateTime } from '@/modules/session/date-times';
import { roleTexts } from '@/modules/session/role-names';
import { SendResult } from '@/modules/session/SendResult';
import { useChange } from './use-change';

interface InvitationsSectionProps {
  invitations: Invitation[];
  onRevoked: (email: string) => void;
  /** Loads the invitations again after a change. */
  reload: () => Promise<unknown>;
}

/** The invitations that were not accepted yet, and those that have expired. */
export function InvitationsSection({ invitations, onRevoked, reload }: InvitationsSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { change, state, doneTitle, busyKey, dialog } = useChange(
    'An invitation could not be changed',
    reload,
  );

  async function revoke(email: string) {
    const text = `The invitation of ${email} was revoked`;
    const isRevoked = await change(email, () => revokeInvitation(email), text);
    if (!isRevoked) return;
    onRevoked(email);
    heading.current?.focus(); // the pressed button is removed
  }

  return (
    <AccountSection
      title="Invitations"
      description="Each link works once, within 7 days."
      headingRef={heading}
    >
      {invitations.length === 0 && <p className="text-muted">No open invitations.</p>}
      <ul aria-label="Invitations" className="divide-y divide-line empty:hidden">
        {invitations.map((invitation) => {
          const { email } = invitation;
          return (
            <InvitationRow
              key={email}
              invitation={invitation}
              busy={busyKey === email}
              onResend={() =>
                void change(
                  email,
                  () => resendInvitation(email),
                  `A new invitation is on its way to ${email}`,
                )
              }
              onRevoke={() => void revoke(email)}
            />
          );
        })}
      </ul>
      <div className="mt-4 space-y-5">
        <SendResult
          state={state}
          doneTitle={doneTitle}
          failedTitle="The invitation was not changed"
        />
      </div>
      {dialog}
    </AccountSection>
  );
}

interface InvitationRowProps {
  invitation: Invitation;
  busy: boolean;
  onResend: () => void;
  onRevoke: () => void;
}

function InvitationRow({ invitation, busy, onResend, onRevoke }: InvitationRowProps) {
  const { timeZone } = useConfig();
  const { email, role, inviter, expiresAt, expired = false } = invitation;
  const time = longDateTime(new Date(expiresAt), timeZone);
  const sender = inviter ? `Sent by ${inviter}, ` : '';
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <span translate="no" className="font-semibold wrap-anywhere">
            {email}
          </span>
          {expired && <Badge tone="attention">Expired</Badge>}
        </p>
        <p className="text-sm text-muted">{roleTexts[role]}</p>
        <p className="text-sm text-muted first-letter:uppercase">
          {`${sender}${expired ? 'expired on' : 'works until'} ${time}`}
        </p>
      </div>
      <p className="-mx-3 flex flex-wrap gap-2">
        <Button
          variant="quiet"
          small
          aria-label={`Send again to ${email}`}
          busy={busy}
          onClick={onResend}
        >
          Send again
        </Button>
        <Button
          variant="quiet"
          small
          aria-label={`Revoke the invitation of ${email}`}
          busy={busy}
          onClick={onRevoke}
        >
          Revoke
        </Button>
      </p>
    </li>
  );
}
