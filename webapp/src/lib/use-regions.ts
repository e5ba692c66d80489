import { regions } from 'virtual:countries';
import { useEffect, useState } from 'react';
import { logFailure } from '@/lib/log';

/**
 * The regions to choose from; 'free' when the state is typed, because the country has no list or its
 * list could not be loaded. While a list is loading, `typed` keeps the text field of the country before,
 * for a browser that fills in country and state at once.
 */
export type Regions =
  | { status: 'loading'; typed: boolean }
  | { status: 'free' }
  | { status: 'known'; names: string[] };

const free: Regions = { status: 'free' };

/** Loads the regions of a country when the country is chosen. */
export function useRegions(country: string): Regions {
  const load = regions[country];
  const [last, setLast] = useState<{ country: string; regions: Regions }>();

  useEffect(() => {
    let wanted = true;
    const keep = (found: Regions) => wanted && setLast({ country, regions: found });
    if (!load) keep(free);
    load?.().then(
      ({ default: names }) => keep({ status: 'known', names }),
      (error) => {
        logFailure(`The regions of ${country} could not be loaded`, error);
        keep(free);
      },
    );
    return () => {
      wanted = false;
    };
  }, [country, load]);

  if (!load) return free;
  if (last?.country === country) return last.regions;
  return { status: 'loading', typed: last?.regions.status === 'free' };
}
