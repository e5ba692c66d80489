import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Billing } from '@/api';
import { LoadFailure } from '@/components/LoadFailure';
import { CardSkeleton } from '@/components/Loading';
import { Sheet } from '@/components/Sheet';
import { AccountPage } from '@/modules/billing/AccountPage';
import { billingQuery } from '@/modules/billing/queries';
import { UnreachableEmails } from '@/modules/billing/UnreachableEmails';
import { can } from '@/modules/config/capabilities';
import { useConfig } from '@/modules/config/config-store';
import { SignedInScreen } from '@/modules/session/SignedIn';
import type { User } from '@/modules/session/session-store';
import { DetailsSummary } from './DetailsSummary';
import { LatestInvoices } from './LatestInvoices';
import { PaymentMethod } from './PaymentMethod';
import { PlanCard } from './PlanCard';

/** The plan and its next charge, the payment method, the latest invoices and the billing details. */
export default function BillingScreen() {
  return (
    <SignedInScreen visitor="signIn" loading={<Placeholder />} frame={Frame}>
      {({ user }) => <Loader user={user} />}
    </SignedInScreen>
  );
}

const Frame = ({ children }: { children: ReactNode }) => (
  <AccountPage title="Billing">
    <div className="mt-5 space-y-6">{children}</div>
  </AccountPage>
);

function Loader({ user }: { user: User }) {
  const { status, data, refetch } = useQuery(billingQuery);
  switch (status) {
    case 'pending':
      return <Placeholder />;
    case 'error':
      return <Failed retry={() => void refetch()} />;
    case 'success':
      return <Overview user={user} billing={data} />;
  }
}

interface OverviewProps {
  user: User;
  billing: Billing;
}

function Overview({ user, billing }: OverviewProps) {
  const config = useConfig();
  const hasHadPlan = billing.subscription !== null || user.pastLicense !== null;
  const hasMethod = Boolean(user.org.stripeCustomerId);
  const hasDetails = can(config, 'billing_details');
  return (
    <Frame>
      <UnreachableEmails user={user} />
      <PlanCard user={user} billing={billing} />
      {hasHadPlan && can(config, 'invoices') && (
        <LatestInvoices next={billing.next} owes={Boolean(user.openPayment || billing.invoiced)} />
      )}
      {(hasMethod || hasDetails) && (
        <Sheet>
          {hasMethod && <PaymentMethod card={billing.card} provider={config.provider} />}
          {hasDetails && <DetailsSummary />}
        </Sheet>
      )}
    </Frame>
  );
}

const Placeholder = () => (
  <Frame>
    <p role="status" className="sr-only">
      Loading...
    </p>
    <CardSkeleton className="h-64" />
    <CardSkeleton className="h-44" />
  </Frame>
);

const Failed = ({ retry }: { retry: () => void }) => (
  <Frame>
    <LoadFailure retry={retry}>Your billing could not be loaded. Nothing was changed.</LoadFailure>
  </Frame>
);
