import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { LoadFailure } from '@/components/LoadFailure';
import { CardSkeleton, Loading } from '@/components/Loading';
import { routes } from '@/lib/paths';
import { offerOf } from '@/modules/billing/offer';
import { PendingOrder } from '@/modules/billing/PendingOrder';
import { useEarlierOrder } from '@/modules/billing/use-earlier-order';
import { useConfig } from '@/modules/config/config-store';
import { ProcessingPaymentNotice } from '@/modules/payments/ProcessingPaymentNotice';
import { hasUnknownOutcome } from '@/modules/payments/unknown-outcome';
import { Redirect } from '@/modules/session/AppLink';
import type { ConfirmState } from '@/modules/session/navigation-state';
import { canManageBilling } from '@/modules/session/roles';
import { SignedInScreen } from '@/modules/session/SignedIn';
import type { User } from '@/modules/session/session-store';
import { Confirmation } from './Confirmation';
import { ConfirmFrame } from './ConfirmFrame';
import { parseConfirmState } from './confirm-state';
import { type ChangeToConfirm, confirmationQuery } from './confirmation-query';

const loadingView = (
  <ConfirmFrame>
    <Loading />
  </ConfirmFrame>
);

/** The confirmation of a plan change, or of a new subscription after one that has ended. */
export default function ConfirmScreen() {
  const change = parseConfirmState(useLocation().state);
  if (!change) return <PlansRedirect />;
  return (
    <SignedInScreen loading={loadingView} frame={ConfirmFrame}>
      {({ user }) => <ConfirmGate user={user} change={change} />}
    </SignedInScreen>
  );
}

interface ConfirmGateProps {
  user: User;
  change: ConfirmState;
}

/**
 * Shows the confirmation, or an earlier payment or order that must be finished first. Redirects to the plans if the user may
 * not change the plan, if another user chose the change, or if the plan is not for sale.
 */
function ConfirmGate({ user, change }: ConfirmGateProps) {
  const config = useConfig();
  const { plan, priceRef, price } = offerOf(config, change.to) ?? {};
  // Read when the screen opens, because the confirmation reports its own payment.
  const [mayChangePlan] = useState(canManageBilling(user));
  const [processing] = useState(user.processing);
  const order = useEarlierOrder(user);
  const isAllowed = mayChangePlan && user.id === change.user.id;
  if (!isAllowed || !plan || !priceRef || !price) return <PlansRedirect />;
  if (processing) {
    return (
      <ConfirmFrame>
        <ProcessingPaymentNotice processing={processing} />
      </ConfirmFrame>
    );
  }
  if (!user.license && order) {
    return (
      <ConfirmFrame>
        <PendingOrder order={order} />
      </ConfirmFrame>
    );
  }
  return <ConfirmLoader user={user} change={change} target={{ plan, priceRef, price }} />;
}

/** Loads the default card and the other data that the confirmation needs. */
function ConfirmLoader(props: ChangeToConfirm) {
  const { user, change } = props;
  const { data, isPending, refetch } = useQuery(
    confirmationQuery({ hasCustomer: Boolean(user.org.stripeCustomerId), isNew: !change.from }),
  );
  // The confirmation and its result stay on the screen when a refetch fails.
  if (data) return <Confirmation {...props} {...data} />;
  return isPending ? <ConfirmSkeleton /> : <ConfirmLoadFailure retry={() => void refetch()} />;
}

const ConfirmSkeleton = () => (
  <ConfirmFrame aside={<CardSkeleton className="h-72" />}>
    <p role="status" className="sr-only">
      Loading...
    </p>
    <CardSkeleton className="h-72" />
  </ConfirmFrame>
);

const ConfirmLoadFailure = ({ retry }: { retry: () => void }) => (
  <ConfirmFrame>
    <LoadFailure retry={retry}>
      {hasUnknownOutcome()
        ? 'The confirmation could not be loaded.'
        : 'The confirmation could not be loaded. Nothing was changed, and nothing was charged.'}
    </LoadFailure>
  </ConfirmFrame>
);

function PlansRedirect() {
  return <Redirect to={routes.plans} />;
}
