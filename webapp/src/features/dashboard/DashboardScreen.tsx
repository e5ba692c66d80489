import { lazy, type ReactNode, Suspense } from 'react';
import { CardSkeleton, Skeleton } from '@/components/Loading';
import { PageTitle } from '@/components/PageTitle';
import { WithConfig } from '@/components/WithConfig';
import { loadChunk } from '@/lib/load-chunk';
import { useSession } from '@/lib/session-store';
import { SignInScreen } from './SignInScreen';

/** Loaded for a signed-in user only. */
const Overview = lazy(() =>
  loadChunk(import('./Overview')).then((file) => ({ default: file.Overview })),
);

/** The sign-in form, or the overview of the organisation for a signed-in user. */
export default function DashboardScreen() {
  const session = useSession();
  if (session.status === 'loading') return <DashboardSkeleton />;
  if (session.status === 'signedOut') return <SignInScreen />;
  return (
    <WithConfig fallback={<DashboardSkeleton />} frame={DashboardFrame}>
      <Suspense fallback={<DashboardSkeleton />}>
        <Overview session={session} />
      </Suspense>
    </WithConfig>
  );
}

/** The layout of the dashboard while it loads or fails. */
function DashboardFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page max-w-3xl py-10 sm:py-14">
      <PageTitle className="sr-only">Dashboard</PageTitle>
      {children}
    </div>
  );
}

function DashboardSkeleton() {
  return (
    <DashboardFrame>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <Skeleton className="h-10 w-64 max-w-full" />
      <Skeleton className="mt-4 mb-8 h-5 w-80 max-w-full" />
      <CardSkeleton className="h-56" />
    </DashboardFrame>
  );
}
