import { Navigate, useLocation } from 'react-router-dom';
import type { Config } from '@/api';
import type { ConfirmState } from '@/app/navigation-state';
import { paths } from '@/app/paths';
import { useGate } from '@/app/use-gate';
import { WithConfig } from '@/app/WithConfig';
import { offerOf } from '@/features/payment/offer';
import { SignedIn } from '@/features/session/SignedIn';
import type { User } from '@/features/session/session-store';
import { Loading } from '@/ui/Loading';
import { ConfirmFrame } from './ConfirmFrame';
import { ConfirmLoader } from './ConfirmLoader';
import { confirmStateOf } from './confirm-state';

const loading = (
  <ConfirmFrame>
    <Loading />
  </ConfirmFrame>
);

/** Confirming a change of plan, or the subscription that follows one that has ended. */
export function ConfirmScreen() {
  const change = confirmStateOf(useLocation().state);
  if (!change) return <ToPlans />;
  return (
    <SignedIn loading={loading}>
      {({ user }) => (
        <WithConfig fallback={loading} frame={ConfirmFrame}>
          {(config) => <Gate user={user} change={change} config={config} />}
        </WithConfig>
      )}
    </SignedIn>
  );
}

interface GateProps {
  user: User;
  change: ConfirmState;
  config: Config;
}

/** Nothing is confirmed on what somebody else has chosen, or on what is not for sale. */
function Gate({ user, change, config }: GateProps) {
  const { plan, ref, price } = offerOf(config, change.to) ?? {};
  if (user.id !== change.user.id || !plan || !ref || !price) return <ToPlans />;
  return <ConfirmLoader user={user} change={change} config={config} to={{ plan, ref, price }} />;
}

function ToPlans() {
  return <Navigate to={paths.plans(useGate())} replace />;
}
