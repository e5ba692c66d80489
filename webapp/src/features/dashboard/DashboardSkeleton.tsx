import { CardSkeleton } from '@/components/Loading';
import type { Elements } from '@/lib/elements';
import { AccountFrame } from '@/modules/billing/AccountFrame';

/** The layout of the dashboard while it loads or fails, without the navigation of a signed-in user. */
export const DashboardFrame = ({ children }: { children: Elements }) => (
  <AccountFrame title="Dashboard">{children}</AccountFrame>
);

/** The purpose of the dashboard, which visitors and users see. */
export const DashboardDescription = () => (
  <p className="mt-2 text-muted">See your plan, your invoices and how you pay.</p>
);

/** The outline of the dashboard while the session and the scripts load. */
export const DashboardSkeleton = () => (
  <DashboardFrame>
    <p role="status" className="sr-only">
      Loading...
    </p>
    <DashboardDescription />
    <CardSkeleton className="mt-6 h-56" />
  </DashboardFrame>
);
