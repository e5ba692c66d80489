import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Billing } from '@/api';
import { LoadFailure } from '@/components/LoadFailure';
import { CardSkeleton } from '@/components/Loading';
import { Panel } from '@/components/Panel';
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
    <SignedInScreen visitor="signIn" loading={<BillingSkeleton />} frame={BillingFrame}>
      {({ user }) => <BillingLoader user={user} />}
    </SignedInScreen>
  );
}

const BillingFrame = ({ children }: { children: ReactNode }) => (
  <AccountPage title="Billing">
    <div className="mt-5 space-y-6">{children}</div>
  </AccountPage>
);

function BillingLoader({ user }: { user: User }) {
  const { status, data, refetch } = useQuery(billingQuery);
  switch (status) {
    case 'pending':
      return <BillingSkeleton />;
    case 'error':
      return <BillingLoadFailure retry={() => void refetch()} />;
    case 'success':
      return <BillingContent user={user} billing={data} />;
  }
}

interface BillingContentProps {
  user: User;
  billing: Billing;
}

function BillingContent({ user, billing }: BillingContentProps) {
  const config = useConfig();
  const hasHadPlan = billing.subscription !== null || user.pastLicense !== null;
  const hasCustomer = Boolean(user.org.stripeCustomerId);
  const hasDetails = can(config, 'billing_details');
  return (
    <BillingFrame>
      <UnreachableEmails user={user} />
      <PlanCard user={user} billing={billing} />
      {hasHadPlan && can(config, 'invoices') && (
        <LatestInvoices
          next={billing.next}
          hasAmountDue={Boolean(user.openPayment || billing.invoiced)}
        />
      )}
      {(hasCustomer || hasDetails) && (
        <Panel>
          {hasCustomer && <PaymentMethod card={billing.card} />}
          {hasDetails && <DetailsSummary />}
        </Panel>
      )}
    </BillingFrame>
  );
}

const BillingSkeleton = () => (
  <BillingFrame>
    <p role="status" className="sr-only">
      Loading...
    </p>
    <CardSkeleton className="h-64" />
    <CardSkeleton className="h-44" />
  </BillingFrame>
);

const BillingLoadFailure = ({ retry }: { retry: () => void }) => (
  <BillingFrame>
    <LoadFailure retry={retry}>Your billing could not be loaded. Nothing was changed.</LoadFailure>
  </BillingFrame>
);
