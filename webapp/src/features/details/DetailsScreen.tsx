import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { type BillingDetails, getBillingDetails } from '@/api';
import { LoadFailure } from '@/components/LoadFailure';
import { Skeleton } from '@/components/Loading';
import { logFailure } from '@/lib/log';
import { AccountPage } from '@/modules/billing/AccountPage';
import { SignedIn } from '@/modules/session/SignedIn';
import { refreshIfSessionOver, useSession } from '@/modules/session/session-store';
import type { Loaded } from '@/modules/session/use-loaded';
import { DetailsForm } from './DetailsForm';

/** The form for the billing details of the organisation. */
export default function DetailsScreen() {
  return (
    <SignedIn
      visitor="signIn"
      loading={
        <Frame>
          <Placeholder />
        </Frame>
      }
    >
      {() => (
        <Frame>
          <Details />
        </Frame>
      )}
    </SignedIn>
  );
}

const Frame = ({ children }: { children: ReactNode }) => (
  <AccountPage title="Billing details">
    <p className="mt-3 text-muted">
      They apply from your next invoice. Your currency stays the same.
    </p>
    {children}
  </AccountPage>
);

function Details() {
  const { state, load } = useDetails();
  if (state.status === 'loading') return <Placeholder />;
  if (state.status === 'failed') return <Failure retry={() => void load()} />;
  return <DetailsForm details={state.data} />;
}

/** Loads the billing details once: unlike `useLoaded`, not again after another sign-in, so that the form stays. */
function useDetails() {
  const [state, setState] = useState<Loaded<BillingDetails>>({ status: 'loading' });
  const load = useCallback(async () => {
    setState({ status: 'loading' });
    try {
      setState({ status: 'ready', data: await getBillingDetails() });
    } catch (error) {
      logFailure('The billing details could not be loaded', error);
      setState({ status: 'failed' });
      void refreshIfSessionOver(error);
    }
  }, []);
  const missing = useSession().status === 'signedIn' && state.status !== 'ready';
  useEffect(() => {
    if (missing) void load();
  }, [load, missing]);
  return { state, load };
}

const Placeholder = () => (
  <div role="status" className="mt-8 max-w-[34.5rem] space-y-6">
    <span className="sr-only">Loading your billing details...</span>
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
  </div>
);

const Failure = ({ retry }: { retry: () => void }) => (
  <LoadFailure className="mt-8" retry={retry}>
    Your billing details could not be loaded.
  </LoadFailure>
);
