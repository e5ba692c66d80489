import type { ComponentProps } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { type LinkOptions, useKeepDebug } from './navigation';

interface AppLinkProps extends ComponentProps<typeof Link>, LinkOptions {
  /** A URL of the app, without the debug parameter. */
  to: string;
}

/** A link to a screen of the app, with the debug parameter if debug is on. */
export function AppLink({ to, entersArea, ...link }: AppLinkProps) {
  return <Link {...link} to={useKeepDebug({ entersArea })(to)} />;
}

/** Replaces the current screen by another one, with the debug parameter if debug is on. */
export function Redirect({ to }: { to: string }) {
  return <Navigate to={useKeepDebug()(to)} replace />;
}
