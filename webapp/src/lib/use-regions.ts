import { regions } from 'virtual:countries';
import { useEffect, useState } from 'react';
import { logFailure } from '@/lib/log';

/**
 * The regions to choose from; 'free' when the state is typed, because the country has no list or its
 * list could not be loaded. While a list is loading, `typed` says that the state of the previous country
 * was typed: its text field stays for a browser that fills in country and state at once.
 */
type Regions =
  | { status: 'loading'; typed: boolean }
  | { status: 'free' }
  | { status: 'known'; names: string[] };

const free: Regions = { status: 'free' };

/** Loads the regions of a country when the country is chosen. */
export function useRegions(country: string): Regions {
  const load = regions[country];
  const [last, setLast] = useState<{ country: string; regions: Regions }>();

  useEffect(() => {
    let current = true;
    const store = (regions: Regions) => current && setLast({ country, regions });
    if (!load) store(free);
    load?.().then(
      ({ default: names }) => store({ status: 'known', names }),
      (error) => {
        logFailure(`The regions of ${country} could not be loaded`, error);
        store(free);
      },
    );
    return () => {
      current = false;
    };
  }, [country, load]);

  if (!load) return free;
  if (last?.country === country) return last.regions;
  return { status: 'loading', typed: last?.regions.status === 'free' };
}
