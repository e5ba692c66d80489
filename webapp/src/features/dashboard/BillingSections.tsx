import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Billing } from '@/api';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import { Panel, PanelSection } from '@/components/Panel';
import { billingDetailsQuery, billingQuery, latestInvoicesQuery } from '@/modules/billing/queries';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { canManageBilling } from '@/modules/session/roles';
import type { User } from '@/modules/session/session-store';
import { ActivitySection } from './ActivitySection';
import { DetailsSummary } from './DetailsSummary';
import { LatestInvoices } from './LatestInvoices';
import { PaymentMethod } from './PaymentMethod';
import { PlanCard } from './PlanCard';

/** The plan and its next charge, the latest invoices, the payment method, the billing details and the activity. */
export function BillingSections({ user }: { user: User }) {
  const { status, data, refetch } = useQuery(billingQuery);
  const hasActivity = can(useConfig(), 'activity') && canManageBilling(user);
  const isLoadingSections = useSectionsLoading(user);
  if (isLoadingSections || status === 'pending') return <SectionsSkeleton />;
  return (
    <>
      {status === 'error' ? (
        <LoadFailure retry={() => void refetch()}>
          Your billing data could not be loaded. Nothing was changed.
        </LoadFailure>
      ) : (
        <Sections user={user} billing={data} />
      )}
      {hasActivity && <ActivitySection />}
    </>
  );
}

/**
 * Loads the data of the sections together with the plan, so that no section grows and moves those below it. Returns
 * whether the data is loading for the first time. A section that loads again after a failure shows its own placeholder.
 */
function useSectionsLoading({ license, pastLicense }: User): boolean {
  const config = useConfig();
  const hasInvoices = Boolean(license ?? pastLicense) && can(config, 'invoices');
  const invoices = useQuery({ ...latestInvoicesQuery, enabled: hasInvoices });
  const details = useQuery({ ...billingDetailsQuery, enabled: can(config, 'billing_details') });
  const isLoading = invoices.isLoading || details.isLoading;
  const [hasLoaded, setHasLoaded] = useState(false);
  if (!isLoading && !hasLoaded) setHasLoaded(true);
  return isLoading && !hasLoaded;
}

interface SectionsProps {
  user: User;
  billing: Billing;
}

function Sections({ user, billing }: SectionsProps) {
  const config = useConfig();
  const hasHadPlan = billing.subscription !== null || user.pastLicense !== null;
  const hasCustomer = Boolean(user.org.stripeCustomerId);
  const hasDetails = can(config, 'billing_details');
  return (
    <>
      <PlanCard user={user} billing={billing} />
      {hasHadPlan && can(config, 'invoices') && (
        <LatestInvoices
          next={billing.next}
          hasAmountDue={Boolean(user.openPayment || billing.invoiced)}
        />
      )}
      {(hasCustomer || hasDetails) && (
        <Panel>
          {hasCustomer && <PaymentMethod card={billing.card} refusal={user.methodRefusal} />}
          {hasDetails && <DetailsSummary />}
        </Panel>
      )}
    </>
  );
}

const SectionsSkeleton = () => (
  <>
    <p role="status" className="sr-only">
      Loading...
    </p>
    <PanelSkeleton />
    <Panel aria-hidden>
      <PanelSection className="space-y-3">
        <Skeleton className="h-6 w-2/5" />
        <Skeleton className="h-4" />
      </PanelSection>
    </Panel>
    <PanelSkeleton />
  </>
);

/** The outline of a panel with two sections. */
const PanelSkeleton = () => (
  <Panel aria-hidden>
    {['first', 'second'].map((key) => (
      <PanelSection key={key} className="space-y-3 @columns:min-h-44">
        <Skeleton className="h-6 w-2/5" />
        <Skeleton className="h-4" />
        <Skeleton className="h-4 w-3/5" />
      </PanelSection>
    ))}
  </Panel>
);
