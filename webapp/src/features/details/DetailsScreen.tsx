import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/Button';
import { Skeleton } from '@/components/Loading';
import { Notice } from '@/components/Notice';
import { PageTitle } from '@/components/PageTitle';
import { SignedIn } from '@/components/SignedIn';
import { paths } from '@/lib/paths';
import { useGate } from '@/lib/use-gate';
import { DetailsForm } from './DetailsForm';
import { useDetails } from './use-details';

/** The billing details of the organisation: what its invoices are addressed to. */
export default function DetailsScreen() {
  return (
    <SignedIn
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

function Frame({ children }: { children: ReactNode }) {
  const gate = useGate();
  return (
    <div className="page max-w-2xl pt-10 pb-16 sm:pt-14">
      <p className="mb-4">
        <Link to={paths.billing(gate)} className="text-link">
          ← Billing
        </Link>
      </p>
      <PageTitle>Billing details</PageTitle>
      <p className="mt-3 text-muted">
        They apply from your next invoice. Your currency stays the same.
      </p>
      {children}
    </div>
  );
}

function Details() {
  const { state, load } = useDetails();
  if (state.status === 'loading') return <Placeholder />;
  if (state.status === 'failed') return <Failure retry={() => void load()} />;
  return <DetailsForm details={state.details} />;
}

const Placeholder = () => (
  <div role="status" className="mt-8 space-y-6">
    <span className="sr-only">Loading your billing details...</span>
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
    <Skeleton className="h-11" />
  </div>
);

const Failure = ({ retry }: { retry: () => void }) => (
  <div className="mt-8">
    <Notice tone="danger" title="Please try again later!">
      <p>Your billing details could not be loaded.</p>
    </Notice>
    <Button look="secondary" className="mt-4" onClick={retry}>
      Try again
    </Button>
  </div>
);
