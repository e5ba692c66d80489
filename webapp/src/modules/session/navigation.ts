import { type NavigateOptions, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { withDebug } from '@/lib/paths';
import { useLoadedConfig } from '@/modules/config/config-store';
import { isDebugOn } from '@/rules/mode';
import { useSession } from './session-store';

/** Navigation state that carries debug to an address that has no debug parameter in the specification. */
export interface DebugState {
  debug?: boolean;
}

/** Whether debug is on: by the address, or by the navigation state of an address without it. */
export function useDebug(): boolean {
  const [query] = useSearchParams();
  const state = useLocation().state as DebugState | null;
  return isDebugOn(query.get('debug')) || state?.debug === true;
}

export interface AddressOptions {
  /**
   * Whether the address leads back into the area. For a signed-in user debug is then on unless the area is live,
   * because emails and the sign-in form drop the parameter, and without it a customer can change nothing.
   */
  intoArea?: boolean;
}

/** Returns a function that adds the debug parameter to an address of the app if debug is on. */
export function useAddress({ intoArea = false }: AddressOptions = {}): (address: string) => string {
  const debug = useDebug();
  const { status } = useSession();
  const live = useLoadedConfig()?.live ?? true;
  const opened = intoArea && status === 'signedIn' && !live;
  return debug || opened ? withDebug : (address) => address;
}

/** Returns a function that navigates to an address of the app and keeps debug. */
export function useGo(options?: AddressOptions) {
  const navigate = useNavigate();
  const address = useAddress(options);
  return (to: string, options?: NavigateOptions) => void navigate(address(to), options);
}

/** Whether purchases are enabled: with debug, or for everyone once the area is live. */
export function usePurchasesEnabled(): boolean {
  const live = useLoadedConfig()?.live ?? false;
  return useDebug() || live;
}
