import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import type { Elements } from '@/lib/elements';
import { AccountPage } from '@/modules/billing/AccountPage';
import { SignedInScreen } from '@/modules/session/SignedIn';
import type { User } from '@/modules/session/session-store';
import { InvitationsSection } from './InvitationsSection';
import { InviteSection } from './InviteSection';
import { LeaveSection } from './LeaveSection';
import { MembersSection } from './MembersSection';
import { membersQuery } from './members-query';

/** The screen on which owners invite, change and remove members, and every member can leave. */
export default function MembersScreen() {
  return (
    <SignedInScreen
      visitor="signIn"
      frame={MembersFrame}
      loading={
        <MembersFrame>
          <MembersSkeleton />
        </MembersFrame>
      }
    >
      {({ user }) => (
        <MembersFrame>
          <MembersLoader user={user} />
        </MembersFrame>
      )}
    </SignedInScreen>
  );
}

const MembersFrame = ({ children }: { children: Elements }) => (
  <AccountPage title="Members" description="The people who can sign in, and what they may do.">
    {children}
  </AccountPage>
);

function MembersLoader({ user }: { user: User }) {
  const { data, isPending, refetch } = useQuery(membersQuery);
  const [invitedEmail, setInvitedEmail] = useState('');
  if (isPending) return <MembersSkeleton />;
  if (!data) {
    return (
      <LoadFailure className="mt-8" retry={() => void refetch()}>
        The members could not be loaded.
      </LoadFailure>
    );
  }
  const { members, invitations = [] } = data;
  const isOwner = members.some(({ userId, role }) => userId === user.id && role === 'owner');
  return (
    <div className="mt-8 space-y-6 @min-[52rem]:space-y-8">
      <MembersSection members={members} user={user} isOwner={isOwner} reload={refetch} />
      {isOwner && (
        <InviteSection invitedEmail={invitedEmail} onInvited={setInvitedEmail} reload={refetch} />
      )}
      {isOwner && (
        <InvitationsSection
          invitations={invitations}
          onRevoked={(email) => setInvitedEmail((invited) => (invited === email ? '' : invited))}
          reload={refetch}
        />
      )}
      <LeaveSection members={members} user={user} />
    </div>
  );
}

const MembersSkeleton = () => (
  <div role="status" className="mt-8 max-w-[34.5rem] space-y-6">
    <span className="sr-only">Loading the members...</span>
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
  </div>
);
