import { lazy, type ReactNode, Suspense } from 'react';
import { CardSkeleton, Skeleton } from '@/components/Loading';
import { loadChunk } from '@/lib/load-chunk';
import { AccountFrame } from '@/modules/billing/AccountFrame';
import { WithConfig } from '@/modules/config/WithConfig';
import { useSession } from '@/modules/session/session-store';
import { SignInScreen } from './SignInScreen';

/** The overview is lazy, so that its script is loaded only for signed-in users. */
const Overview = lazy(() =>
  loadChunk(import('./Overview')).then((file) => ({ default: file.Overview })),
);

/** The overview of the organisation for a signed-in user, or the sign-in form for a visitor. */
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

/** The layout of the dashboard while it loads or fails, without the navigation of a signed-in user. */
const DashboardFrame = ({ children }: { children: ReactNode }) => (
  <AccountFrame title="Dashboard">{children}</AccountFrame>
);

function DashboardSkeleton() {
  return (
    <DashboardFrame>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <Skeleton className="mt-2 h-5 w-80 max-w-full" />
      <CardSkeleton className="mt-6 h-56" />
    </DashboardFrame>
  );
}
