import { useEffect } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { PlansScreen } from '@/features/plans/PlansScreen';
import { useSessionStore } from '@/features/session/session-store';
import { watchSession } from '@/features/session/watch-session';
import { useConfigStore } from './config-store';
import { paths, routes } from './paths';
import { Shell } from './Shell';
import * as screens from './screens';
import { useGate } from './use-gate';

/** The whole app: loads configuration and session, and shows the screen of the address. */
export function App() {
  useEffect(() => {
    void useConfigStore.getState().load();
    void useSessionStore.getState().refresh();
    return watchSession();
  }, []);

  return (
    <Shell>
      <Routes>
        <Route caseSensitive path={routes.area} element={<ToPlans />} />
        <Route caseSensitive path={routes.plans} element={<PlansScreen />} />
        <Route caseSensitive path={routes.regform} element={<screens.RegistrationScreen />} />
        <Route caseSensitive path={routes.registered} element={<screens.RegisteredScreen />} />
        <Route caseSensitive path={routes.payment} element={<screens.PaymentScreen />} />
        <Route caseSensitive path={routes.confirm} element={<screens.ConfirmScreen />} />
        <Route caseSensitive path={routes.cards} element={<screens.CardsScreen />} />
        <Route caseSensitive path={routes.pay} element={<screens.PayScreen />} />
        <Route caseSensitive path={routes.contact} element={<screens.ContactScreen />} />
        <Route caseSensitive path={routes.dash} element={<screens.DashboardScreen />} />
        <Route
          caseSensitive
          path={routes.confirmRegistration}
          element={<screens.ConfirmRegistrationScreen />}
        />
        <Route caseSensitive path={routes.forgot} element={<screens.ForgotScreen />} />
        <Route caseSensitive path={routes.reset} element={<screens.ResetScreen />} />
        <Route path="*" element={<screens.NotFoundScreen />} />
      </Routes>
    </Shell>
  );
}

/** The area's own address has nothing to show. */
function ToPlans() {
  return <Navigate to={paths.plans(useGate())} replace />;
}
