import { type NavigateOptions, useLocation, useNavigate } from 'react-router-dom';
import { withDebug } from '@/lib/paths';
import { useQueryParams } from '@/lib/use-query-params';
import { useLoadedConfig } from '@/modules/config/config-store';
import { isDebugOn } from '@/rules/plans-page';
import { useSession } from './session-store';

/** The navigation state that keeps debug on, for URLs to which the specification adds no debug parameter. */
export interface DebugState {
  debug?: boolean;
}

/** Returns whether the URL or the navigation state turns debug on. */
export function useDebug(): boolean {
  const query = useQueryParams();
  const state = useLocation().state as DebugState | null;
  return isDebugOn(query.get('debug')) || state?.debug === true;
}

export interface LinkOptions {
  /**
   * Whether the link enters the area from outside. Unless the area is live, such a link of a signed-in user has the
   * debug parameter, because the plan can't be changed without it, and emails and the sign-in form drop it.
   */
  entersArea?: boolean;
}

/** Returns a function that adds the debug parameter to a URL of the app if debug is on. */
export function useKeepDebug({ entersArea = false }: LinkOptions = {}): (url: string) => string {
  const debug = useDebug();
  const { status } = useSession();
  const isLive = useLoadedConfig()?.live ?? true;
  const addsDebug = entersArea && status === 'signedIn' && !isLive;
  return debug || addsDebug ? withDebug : (url) => url;
}

/** Returns a function that navigates to a URL of the app, with the debug parameter if debug is on. */
export function useGo(linkOptions?: LinkOptions) {
  const navigate = useNavigate();
  const keepDebug = useKeepDebug(linkOptions);
  return (url: string, options?: NavigateOptions) => void navigate(keepDebug(url), options);
}

/** Returns whether purchases are enabled: with debug, or for everyone once the area is live. */
export function usePurchasesEnabled(): boolean {
  const isLive = useLoadedConfig()?.live ?? false;
  return useDebug() || isLive;
}
