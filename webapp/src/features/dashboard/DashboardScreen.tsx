import { lazy, Suspense } from 'react';
import { loadChunk } from '@/lib/load-chunk';
import { useSession } from '@/modules/session/session-store';
import { WithConfig } from '@/modules/session/WithConfig';
import { DashboardFrame, DashboardSkeleton } from './DashboardSkeleton';

// Each screen has its own script. The outline is shown until the script is loaded.
const SignInScreen = lazy(() => loadChunk(import('./SignInScreen')));
const Dashboard = lazy(() => loadChunk(import('./Dashboard')));

/** The home of the account for a signed-in user, or the sign-in form for a visitor. */
export default function DashboardScreen() {
  const session = useSession();
  if (session.status !== 'signedIn') {
    // Requests the script while the session loads, because React shows a fallback for at least 300 ms.
    return (
      <Suspense fallback={<DashboardSkeleton />}>
        <SignInScreen />
      </Suspense>
    );
  }
  return (
    <WithConfig fallback={<DashboardSkeleton />} frame={DashboardFrame}>
      <Suspense fallback={<DashboardSkeleton />}>
        <Dashboard session={session} />
      </Suspense>
    </WithConfig>
  );
}
