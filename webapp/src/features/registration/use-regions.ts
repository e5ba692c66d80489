import { regions } from 'virtual:countries';
import { useEffect, useState } from 'react';
import { logFailure } from '@/app/log';

/** The regions to choose from; 'free' where they are to be typed, because no list can be had. */
export type Regions =
  | { status: 'loading' }
  | { status: 'free' }
  | { status: 'known'; names: string[] };

const free: Regions = { status: 'free' };

/** The regions of a country, loaded when the country is chosen. */
export function useRegions(country: string): Regions {
  const load = regions[country];
  const [loaded, setLoaded] = useState<{ country: string; regions: Regions }>();

  useEffect(() => {
    let wanted = true;
    const keep = (found: Regions) => wanted && setLoaded({ country, regions: found });
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
  return loaded?.country === country ? loaded.regions : { status: 'loading' };
}
