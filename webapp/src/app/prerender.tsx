import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import PlansScreen from '@/features/plans/PlansScreen';
import { routes } from '@/lib/paths';

/**
 * What a screen shows before anything has been asked, as markup by the screen's address, where that
 * is the same for everybody. The build puts it into the screen's page, so that it is there before
 * any script; the app then draws the same in its place. There must be nothing in it to press,
 * because nothing would happen.
 */
export function firstPaints(): Record<string, string> {
  return { [routes.plans]: markup(routes.plans, <PlansScreen />) };
}

const markup = (address: string, screen: ReactNode) =>
  renderToStaticMarkup(<StaticRouter location={address}>{screen}</StaticRouter>);
