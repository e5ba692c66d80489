import { useState } from 'react';
import { leaveOrganisation, type Member } from '@/api/members';
import { AccountSection } from '@/components/AccountSection';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/Dialog';
import { routes } from '@/lib/paths';
import { useConfirmedCall } from '@/modules/session/ConfirmIdentity';
import { useGo } from '@/modules/session/navigation';
import { SendResult } from '@/modules/session/SendResult';
import { type User, useSessionStore } from '@/modules/session/session-store';
import { type SendState, sendStateAfter } from '@/modules/session/use-section-form';

interface LeaveSectionProps {
  members: Member[];
  user: User;
}

/** A button with which the user leaves the organisation. The last owner can't leave. */
export function LeaveSection({ members, user }: LeaveSectionProps) {
  const go = useGo({ entersArea: true });
  const { callWithConfirmation, dialog } = useConfirmedCall();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const [state, setState] = useState<SendState>({ status: 'idle' });
  const self = members.find(({ userId }) => userId === user.id);
  const owners = members.filter(({ role }) => role === 'owner');
  const isOnlyOwner = owners.length === 1 && self?.role === 'owner';
  const organisation = user.org.name || 'this organisation';

  async function leave() {
    setState({ status: 'busy' });
    const { adoptOrganisation, signOut } = useSessionStore.getState();
    const result = await sendStateAfter('Leaving the organisation failed', async () => {
      const nextOrganisation = await callWithConfirmation(leaveOrganisation);
      if (nextOrganisation) await adoptOrganisation();
      else await signOut();
      go(routes.dash, { state: { leftOrganisation: organisation } });
    });
    setState(result);
  }

  return (
    <AccountSection title="Leave">
      <div className="space-y-5">
        {isOnlyOwner ? (
          <p className="text-muted">
            An organisation needs an owner. Make another member an owner before you leave.
          </p>
        ) : (
          <Button
            variant="secondary"
            busy={state.status === 'busy'}
            className="wrap-anywhere"
            onClick={() => setIsDialogOpen(true)}
          >
            {`Leave ${organisation}`}
          </Button>
        )}
        <SendResult state={state} doneTitle="" failedTitle="You have not left" />
      </div>
      {isDialogOpen && (
        <ConfirmDialog
          title={`Leave ${organisation}?`}
          text={
            self?.deletesAccount
              ? 'Your account is deleted because it belongs to no other organisation.'
              : 'You keep your account in your other organisations.'
          }
          label="Leave"
          onClose={(isConfirmed) => {
            setIsDialogOpen(false);
            if (isConfirmed) void leave();
          }}
        />
      )}
      {dialog}
    </AccountSection>
  );
}
