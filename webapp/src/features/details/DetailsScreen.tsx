import { useQuery } from '@tanstack/react-query';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import type { Elements } from '@/lib/elements';
import { AccountPage } from '@/modules/billing/AccountPage';
import { billingDetailsQuery } from '@/modules/billing/queries';
import { canManageBilling } from '@/modules/session/roles';
import { SignedIn } from '@/modules/session/SignedIn';
import type { User } from '@/modules/session/session-store';
import { DetailsForm } from './DetailsForm';
import { DetailsView } from './DetailsView';

/** The billing details of the organisation, in a form for users who may change them. */
export default function DetailsScreen() {
  return (
    <SignedIn
      visitor="signIn"
      loading={
        <DetailsFrame>
          <DetailsSkeleton />
        </DetailsFrame>
      }
    >
      {({ user }) => (
        <DetailsFrame>
          <DetailsLoader user={user} />
        </DetailsFrame>
      )}
    </SignedIn>
  );
}

const DetailsFrame = ({ children }: { children: Elements }) => (
  <AccountPage
    title="Billing details"
    description="They apply from your next invoice. Your currency stays the same."
  >
    {children}
  </AccountPage>
);

/** The query of the form. It is not cached, because the form reads the details only when it is mounted. */
const formQuery = {
  ...billingDetailsQuery,
  queryKey: [...billingDetailsQuery.queryKey, 'form'],
  gcTime: 0,
};

function DetailsLoader({ user }: { user: User }) {
  const { data, isPending, refetch } = useQuery(formQuery);
  if (data && !canManageBilling(user)) return <DetailsView details={data} user={user} />;
  // The form stays on the screen when a refetch fails, for example because the session has ended.
  if (data) return <DetailsForm details={data} unreachableEmails={user.unreachableEmails} />;
  return isPending ? <DetailsSkeleton /> : <DetailsLoadFailure retry={() => void refetch()} />;
}

const DetailsSkeleton = () => (
  <div role="status" className="mt-8 max-w-[34.5rem] space-y-6">
    <span className="sr-only">Loading your billing details...</span>
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
  </div>
);

const DetailsLoadFailure = ({ retry }: { retry: () => void }) => (
  <LoadFailure className="mt-8" retry={retry}>
    Your billing details could not be loaded.
  </LoadFailure>
);
