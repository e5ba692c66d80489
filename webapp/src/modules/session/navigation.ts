import { type NavigateOptions, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { withDebug } from '@/lib/paths';
import { useLoadedConfig } from '@/modules/config/config-store';
import { isDebugOn } from '@/rules/mode';
import { useSession } from './session-store';

/** The navigation state that keeps debug on, for addresses to which the specification adds no debug parameter. */
export interface DebugState {
  debug?: boolean;
}

/** Returns whether debug is on, by the address or by the navigation state. */
export function useDebug(): boolean {
  const [query] = useSearchParams();
  const state = useLocation().state as DebugState | null;
  return isDebugOn(query.get('debug')) || state?.debug === true;
}

export interface AddressOptions {
  /**
   * Whether the link leads into the area from outside. For a signed-in user it then has the debug parameter unless the
   * area is live. Emails and the sign-in form drop the parameter, and without it a customer can change nothing.
   */
  intoArea?: boolean;
}

/** Returns a function that adds the debug parameter to an address of the app if debug is on. */
export function useAddress({ intoArea = false }: AddressOptions = {}): (address: string) => string {
  const debug = useDebug();
  const { status } = useSession();
  const isLive = useLoadedConfig()?.live ?? true;
  const addsDebug = intoArea && status === 'signedIn' && !isLive;
  return debug || addsDebug ? withDebug : (address) => address;
}

/** Returns a function that navigates to an address of the app, with the debug parameter if debug is on. */
export function useGo(addressOptions?: AddressOptions) {
  const navigate = useNavigate();
  const toAddress = useAddress(addressOptions);
  return (target: string, options?: NavigateOptions) => void navigate(toAddress(target), options);
}

/** Returns whether purchases are enabled: with debug, or for everyone once the area is live. */
export function usePurchasesEnabled(): boolean {
  const isLive = useLoadedConfig()?.live ?? false;
  return useDebug() || isLive;
}
