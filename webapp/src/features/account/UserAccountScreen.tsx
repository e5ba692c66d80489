import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import type { Elements } from '@/lib/elements';
import { loadChunk } from '@/lib/load-chunk';
import { AccountPage } from '@/modules/billing/AccountPage';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { isOwner } from '@/modules/session/roles';
import { SignedInScreen } from '@/modules/session/SignedIn';
import type { User } from '@/modules/session/session-store';
import { userAccountQuery } from '@/modules/session/user-account-query';
import { EmailSection } from './EmailSection';
import { PasswordSection } from './PasswordSection';
import { ProfileSection } from './ProfileSection';
import { SessionsSection } from './SessionsSection';
import { TwoStepSection } from './TwoStepSection';

const DataSection = lazy(() => loadChunk(import('./DataSection')));
const PasskeysSection = lazy(() => loadChunk(import('./PasskeysSection')));

/** The screen on which a user changes their own sign-in. */
export default function UserAccountScreen() {
  return (
    <SignedInScreen
      visitor="signIn"
      frame={UserAccountFrame}
      loading={
        <UserAccountFrame>
          <UserAccountSkeleton />
        </UserAccountFrame>
      }
    >
      {({ user }) => (
        <UserAccountFrame>
          <UserAccountLoader user={user} />
        </UserAccountFrame>
      )}
    </SignedInScreen>
  );
}

const UserAccountFrame = ({ children }: { children: Elements }) => (
  <AccountPage title="Your account" description="Your name, and how you sign in.">
    {children}
  </AccountPage>
);

function UserAccountLoader({ user }: { user: User }) {
  const config = useConfig();
  const { data: account, isPending, refetch } = useQuery(userAccountQuery);
  if (isPending) return <UserAccountSkeleton />;
  if (!account) {
    return (
      <LoadFailure className="mt-8" retry={() => void refetch()}>
        Your account could not be loaded.
      </LoadFailure>
    );
  }
  return (
    <div className="mt-8 space-y-6 @min-[52rem]:space-y-8">
      <ProfileSection account={account} reload={refetch} />
      <EmailSection account={account} reload={refetch} />
      <PasswordSection account={account} organisation={user.org} reload={refetch} />
      {can(config, 'two_step') && (
        <TwoStepSection
          twoStep={account.twoStep}
          canInvite={can(config, 'members') && isOwner(user)}
          hasPasskey={account.passkeys.length > 0}
          reload={refetch}
        />
      )}
      {can(config, 'passkeys') && (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <PasskeysSection
            passkeys={account.passkeys}
            device={account.sessions.find(({ current }) => current)?.device}
            reload={refetch}
          />
        </Suspense>
      )}
      <SessionsSection sessions={account.sessions} reload={refetch} />
      {can(config, 'privacy') && isOwner(user) && (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <DataSection />
        </Suspense>
      )}
    </div>
  );
}

const UserAccountSkeleton = () => (
  <div role="status" className="mt-8 max-w-[34.5rem] space-y-6">
    <span className="sr-only">Loading your account...</span>
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
  </div>
);
