import { regions } from 'virtual:countries';
import { useEffect, useState } from 'react';
import { logFailure } from '@/lib/log';

/** The regions of a country. */
type Regions =
  /**
   * `wasTyped` says whether the state of the previous country was typed. Its text field stays while the list is
   * loading, for a browser that fills in country and state at once.
   */
  | { status: 'loading'; wasTyped: boolean }
  /** The state is typed, because the country has no list or it could not be loaded. */
  | { status: 'free' }
  | { status: 'known'; names: string[] };

const free: Regions = { status: 'free' };

/** Returns the regions of a country, and loads them when the country changes. */
export function useRegions(country: string): Regions {
  const loadNames = regions[country];
  const [last, setLast] = useState<{ country: string; regions: Regions }>();

  useEffect(() => {
    let isCurrent = true;
    const store = (regions: Regions) => isCurrent && setLast({ country, regions });
    if (!loadNames) store(free);
    loadNames?.().then(
      ({ default: names }) => store({ status: 'known', names }),
      (error) => {
        logFailure(`The regions of ${country} could not be loaded`, error);
        store(free);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [country, loadNames]);

  if (!loadNames) return free;
  if (last?.country === country) return last.regions;
  return { status: 'loading', wasTyped: last?.regions.status === 'free' };
}
