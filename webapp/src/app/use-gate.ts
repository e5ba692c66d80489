import { useSearchParams } from 'react-router-dom';
import { debugOn } from '@/rules/debug';
import { useConfig } from './config-store';

/** Whether the address carries debug: what every link within the area takes along. */
export function useGate(): { debug: boolean } {
  const [query] = useSearchParams();
  return { debug: debugOn(query.get('debug')) };
}

/**
 * For links to where things can be bought, from where people come back to without debug: whoever is
 * signed in came with it once, and neither an e-mail nor signing in carries it. It is put back unless
 * the area is live.
 */
export function useOpenGate(): { debug: boolean } {
  const live = useConfig()?.live ?? false;
  return { debug: useGate().debug || !live };
}

/** Whether things can be bought here: with debug, or for everyone once the area is live. */
export function useOpen(): boolean {
  const live = useConfig()?.live ?? false;
  return useGate().debug || live;
}
