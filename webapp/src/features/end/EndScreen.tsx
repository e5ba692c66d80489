import { useQuery } from '@tanstack/react-query';
import type { Billing } from '@/api';
import { buttonClass } from '@/components/Button';
import { LoadFailure } from '@/components/LoadFailure';
import { CardSkeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import type { Elements } from '@/lib/elements';
import { routes } from '@/lib/paths';
import { AccountPage } from '@/modules/billing/AccountPage';
import { planName } from '@/modules/billing/plan-text';
import { billingQuery } from '@/modules/billing/queries';
import { type BillingAction, useBillingAction } from '@/modules/billing/use-billing-action';
import { useConfig } from '@/modules/config/config-store';
import { AppLink, Redirect } from '@/modules/session/AppLink';
import { canManageBilling } from '@/modules/session/roles';
import { SignedInScreen } from '@/modules/session/SignedIn';
import type { User } from '@/modules/session/session-store';
import { EndForm } from './EndForm';
import { EndingPlan, NothingToEnd } from './EndResult';

/**
 * The screen on which a customer ends the plan, or resumes a plan that is ending. Redirects users who may not do that to the
 * dashboard.
 */
export default function EndScreen() {
  return (
    <SignedInScreen visitor="signIn" loading={<EndSkeleton />} frame={EndFrame}>
      {({ user }) =>
        canManageBilling(user) ? <EndLoader user={user} /> : <Redirect to={routes.dash} />
      }
    </SignedInScreen>
  );
}

const EndFrame = ({ children }: { children: Elements }) => (
  <AccountPage title="End your plan">{children}</AccountPage>
);

type EndAction = 'end' | 'resume';

function EndLoader({ user }: { user: User }) {
  const { status, data: billing, refetch } = useQuery(billingQuery);
  const { action, run } = useBillingAction<EndAction>();
  switch (status) {
    case 'pending':
      return <EndSkeleton />;
    case 'error':
      return <EndLoadFailure retry={() => void refetch()} />;
    case 'success':
      return <EndContent {...{ user, billing, action, run }} />;
  }
}

interface EndContentProps {
  user: User;
  billing: Billing;
  action: BillingAction<EndAction>;
  run: (kind: EndAction, call: () => Promise<unknown>) => Promise<void>;
}

/** The form that ends the plan, or the state of a plan that is ending or can't be ended. */
function EndContent({ user, billing, action, run }: EndContentProps) {
  const config = useConfig();
  const { subscription, end } = billing;
  if (subscription?.endsAt) return <EndingPlan {...{ subscription, billing, action, run }} />;
  if (!subscription || !end) return <NothingToEnd {...{ user, billing, action }} />;
  return (
    <EndFrame>
      {action.status === 'done' && (
        <Notice tone="success" className="mt-6">
          <p>{`You keep ${planName(subscription.priceId, config)}.`}</p>
        </Notice>
      )}
      <EndForm {...{ user, billing, subscription, end, action, run }} />
    </EndFrame>
  );
}

const EndSkeleton = () => (
  <EndFrame>
    <p role="status" className="sr-only">
      Loading...
    </p>
    <CardSkeleton className="mt-6 h-128" />
  </EndFrame>
);

function EndLoadFailure({ retry }: { retry: () => void }) {
  return (
    <EndFrame>
      <LoadFailure className="mt-6" retry={retry}>
        Your plan could not be loaded. Nothing was changed.
      </LoadFailure>
      <p className="mt-4">
        <AppLink to={routes.dash} className={`${buttonClass('quiet')} -ml-4`}>
          Back to your dashboard
        </AppLink>
      </p>
    </EndFrame>
  );
}
