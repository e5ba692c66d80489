import { type ComponentType, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { PlansScreen } from '@/features/plans/PlansScreen';
import { useSessionStore } from '@/features/session/session-store';
import { watchSession } from '@/features/session/watch-session';
import { useConfigStore } from './config-store';
import { paths, routes } from './paths';
import { Shell } from './Shell';
import * as screens from './screens';
import { useGate } from './use-gate';

/** Which screen stands where. No address has a parameter in its path, so a table is all it takes. */
const table: Record<string, ComponentType> = {
  [routes.area]: ToPlans,
  [routes.plans]: PlansScreen,
  [routes.regform]: screens.RegistrationScreen,
  [routes.registered]: screens.RegisteredScreen,
  [routes.payment]: screens.PaymentScreen,
  [routes.confirm]: screens.ConfirmScreen,
  [routes.cards]: screens.CardsScreen,
  [routes.contact]: screens.ContactScreen,
  [routes.dash]: screens.DashboardScreen,
};

/** The whole app: asks who is there and what there is, and shows the screen of the address. */
export function App() {
  useEffect(() => {
    void useConfigStore.getState().load();
    void useSessionStore.getState().refresh();
    return watchSession();
  }, []);

  const Screen = table[useLocation().pathname.replace(/\/+$/, '')] ?? screens.NotFoundScreen;
  return (
    <Shell>
      <Screen />
    </Shell>
  );
}

/** The area's own address has nothing to show. */
function ToPlans() {
  return <Navigate to={paths.plans(useGate())} replace />;
}
