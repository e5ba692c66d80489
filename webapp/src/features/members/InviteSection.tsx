import { useState } from 'react';
import type { Role } from '@/api';
import { inviteMember } from '@/api/members';
import { AccountSection } from '@/components/AccountSection';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { routes } from '@/lib/paths';
import { useCan } from '@/modules/config/capabilities';
import { AppLink } from '@/modules/session/AppLink';
import { useConfirmedCall } from '@/modules/session/ConfirmIdentity';
import { SendResult } from '@/modules/session/SendResult';
import { useSectionForm } from '@/modules/session/use-section-form';
import { normalizeEmail } from '@/rules/codes';
import { checkEmailForm } from '@/rules/profile';
import { RoleChoice } from './RoleChoice';

interface InviteSectionProps {
  /** The address of the last invitation that this form sent, or empty if there is none or the invitation was revoked. */
  invitedEmail: string;
  onInvited: (email: string) => void;
  /** Loads the members again after a change. */
  reload: () => Promise<unknown>;
}

/** The form that sends an invitation. */
export function InviteSection({ invitedEmail, onInvited, reload }: InviteSectionProps) {
  const { callWithConfirmation, dialog } = useConfirmedCall();
  const [role, setRole] = useState<Role>('member');
  const hasDetails = useCan('billing_details');
  const { field, state, submit } = useSectionForm({
    initialValues: { email: '' },
    isEmptiedWhenDone: true,
    check: checkEmailForm,
    failure: 'The invitation could not be sent',
    send: async ({ email }) => {
      const address = normalizeEmail(email);
      await callWithConfirmation(() => inviteMember(address, role));
      onInvited(address);
      await reload();
    },
  });
  return (
    <AccountSection title="Invite" description="Colleagues sign in with a password of their own.">
      <form onSubmit={submit} noValidate className="space-y-5">
        <Field
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          {...field('email')}
        />
        <RoleChoice legend="Role" value={role} onChange={setRole} />
        {hasDetails && (
          <p className="text-sm">
            <span className="text-muted">Only invoices by email? </span>
            <AppLink to={routes.details} className="text-link inline-block py-1">
              Set the billing email.
            </AppLink>
          </p>
        )}
        <Button type="submit" busy={state.status === 'busy'} busyLabel="Sending...">
          Send invitation
        </Button>
        <SendResult
          state={state.status === 'done' && !invitedEmail ? { status: 'idle' } : state}
          doneTitle={`An invitation is on its way to ${invitedEmail}`}
          doneText="The link works for 7 days."
          failedTitle="The invitation was not sent"
        />
      </form>
      {dialog}
    </AccountSection>
  );
}
