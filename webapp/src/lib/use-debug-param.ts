import { useLocation, useSearchParams } from 'react-router-dom';
import { isDebugOn } from '@/rules/mode';
import { useLoadedConfig } from './config-store';
import { useSession } from './session-store';

/** Navigation state that carries debug to an address that has no debug parameter in the specification. */
export interface DebugState {
  debug?: boolean;
}

/** Whether debug is on: by the address, or by the navigation state of an address without it. */
export function useDebugParam(): { debug: boolean } {
  const [query] = useSearchParams();
  const state = useLocation().state as DebugState | null;
  return { debug: isDebugOn(query.get('debug')) || state?.debug === true };
}

/**
 * The debug parameter of links back into the area. For a signed-in user debug is on unless the area is live,
 * because emails and the sign-in form drop the parameter, and without it a customer can change nothing.
 */
export function useLinkDebugParam(): { debug: boolean } {
  const { debug } = useDebugParam();
  const { status } = useSession();
  const config = useLoadedConfig();
  return { debug: debug || (status === 'signedIn' && config !== null && !config.live) };
}

/** Whether purchases are enabled: with debug, or for everyone once the area is live. */
export function usePurchasesEnabled(): boolean {
  const live = useLoadedConfig()?.live ?? false;
  return useDebugParam().debug || live;
}
