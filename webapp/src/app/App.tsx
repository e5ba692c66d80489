import { lazy } from 'react';
import { Route, Routes } from 'react-router-dom';
import { ContactScreen } from '@/features/contact/ContactScreen';
import DashboardScreen from '@/features/dashboard/DashboardScreen';
import PlansScreen from '@/features/plans/PlansScreen';
import RegistrationScreen from '@/features/registration/RegistrationScreen';
import { loadChunk } from '@/lib/load-chunk';
import { routes } from '@/lib/paths';
import { Redirect } from '@/modules/session/AppLink';
import { Shell } from './Shell';

const SecondaryRoutes = lazy(() => loadChunk(import('./SecondaryRoutes')));

/** The whole app, with its routes. `loadApp` loads its data. */
export function App() {
  return (
    <Shell>
      <Routes>
        <Route caseSensitive path={routes.area} element={<Redirect to={routes.plans} />} />
        <Route caseSensitive path={routes.plans} element={<PlansScreen />} />
        <Route caseSensitive path={routes.regform} element={<RegistrationScreen />} />
        <Route caseSensitive path={routes.contact} element={<ContactScreen />} />
        <Route caseSensitive path={routes.dash} element={<DashboardScreen />} />
        <Route path="*" element={<SecondaryRoutes />} />
      </Routes>
    </Shell>
  );
}
