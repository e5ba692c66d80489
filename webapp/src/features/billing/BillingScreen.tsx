import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type Billing, type Config, getBilling } from '@/api';
import { AccountPage } from '@/components/AccountPage';
import { Card } from '@/components/Card';
import { LoadFailure } from '@/components/LoadFailure';
import { CardSkeleton } from '@/components/Loading';
import { SignedIn } from '@/components/SignedIn';
import { UnreachableEmails } from '@/components/UnreachableEmails';
import { WithConfig } from '@/components/WithConfig';
import { can } from '@/lib/capabilities';
import { paths } from '@/lib/paths';
import type { User } from '@/lib/session-store';
import { useDebugParam } from '@/lib/use-debug-param';
import { useLoaded } from '@/lib/use-loaded';
import { LatestInvoices } from './LatestInvoices';
import { PaymentMethod } from './PaymentMethod';
import { PlanCard } from './PlanCard';

/** The plan and its next charge, the payment method, the latest invoices and the billing details. */
export default function BillingScreen() {
  return (
    <SignedIn visitor="signIn" loading={<Placeholder />}>
      {({ user }) => (
        <WithConfig fallback={<Placeholder />} frame={Frame}>
          {(config) => <Loader user={user} config={config} />}
        </WithConfig>
      )}
    </SignedIn>
  );
}

const Frame = ({ children }: { children: ReactNode }) => (
  <AccountPage title="Billing">{children}</AccountPage>
);

const Columns = ({ children }: { children: ReactNode }) => (
  <div className="mt-6 grid grid-cols-1 items-start gap-6 @columns:grid-cols-[minmax(0,552fr)_minmax(0,400fr)] @columns:gap-8">
    {children}
  </div>
);

function Loader({ user, config }: { user: User; config: Config }) {
  const { loaded, reload } = useLoaded(getBilling, 'The billing summary');
  switch (loaded.status) {
    case 'loading':
      return <Placeholder />;
    case 'failed':
      return <Failed retry={() => void reload()} />;
    case 'ready':
      return <Overview {...{ user, config, billing: loaded.data, reload }} />;
  }
}

interface OverviewProps {
  user: User;
  config: Config;
  billing: Billing;
  reload: () => Promise<unknown>;
}

function Overview({ user, config, billing, reload }: OverviewProps) {
  const bought = billing.subscription !== null || user.pastLicense !== null;
  return (
    <Frame>
      <UnreachableEmails user={user} config={config} className="mt-6" />
      <Columns>
        <div className="space-y-6">
          <PlanCard {...{ user, config, billing, reload }} />
          {bought && can(config, 'invoices') && (
            <LatestInvoices config={config} next={billing.next} />
          )}
        </div>
        <div className="space-y-6">
          {user.org.stripeCustomerId && (
            <PaymentMethod card={billing.card} provider={config.provider} />
          )}
          {can(config, 'billing_details') && <DetailsCard />}
        </div>
      </Columns>
    </Frame>
  );
}

const Placeholder = () => (
  <Frame>
    <p role="status" className="sr-only">
      Loading...
    </p>
    <Columns>
      <CardSkeleton className="h-64" />
      <CardSkeleton className="h-44" />
    </Columns>
  </Frame>
);

const Failed = ({ retry }: { retry: () => void }) => (
  <Frame>
    <LoadFailure className="mt-6" retry={retry}>
      Your billing could not be loaded. Nothing was changed.
    </LoadFailure>
  </Frame>
);

/** A card with a link to the billing details. */
function DetailsCard() {
  const debugParam = useDebugParam();
  return (
    <Card aria-labelledby="details">
      <h2 id="details" className="mb-2 text-lg">
        Billing details
      </h2>
      <p className="text-muted">Name, address and tax number on your invoices.</p>
      <p className="mt-2">
        <Link to={paths.details(debugParam)} className="text-link inline-block py-1">
          Change billing details
        </Link>
      </p>
    </Card>
  );
}
