import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { ContactScreen } from '@/features/contact/ContactScreen';
import DashboardScreen from '@/features/dashboard/DashboardScreen';
import PlansScreen from '@/features/plans/PlansScreen';
import RegistrationScreen from '@/features/registration/RegistrationScreen';
import { routes } from '@/lib/paths';

/**
 * Returns the initial markup by path, for screens with the same first view for all visitors. The build puts the markup into
 * the page of the screen, where it is visible before any script runs. The app then renders the same markup. Controls are not
 * allowed in it, because they would not work yet.
 */
export function prerenderScreens(): Record<string, string> {
  return {
    [routes.plans]: markup(routes.plans, <PlansScreen />),
    [routes.regform]: markup(routes.regform, <RegistrationScreen />),
    [routes.contact]: markup(routes.contact, <ContactScreen />),
    [routes.dash]: markup(routes.dash, <DashboardScreen />),
  };
}

/** Returns the markup of the screen in the element with which Shell hides it while the user chooses an organisation. */
const markup = (path: string, screen: ReactNode) =>
  renderToStaticMarkup(
    <StaticRouter location={path}>
      <div className="contents">{screen}</div>
    </StaticRouter>,
  );
