import { regions as regionLoaders } from 'virtual:countries';
import { useEffect, useState } from 'react';
import { logFailure } from '@/lib/log';
import { withTimeLimit } from '@/lib/time-limit';
import { ownValue } from '@/rules/own-value';

/** The regions of a country. */
type Regions =
  /**
   * `wasTyped` is whether the state of the previous country was typed. The text field then stays while the list is loading,
   * because the browser may fill in country and state at the same time.
   */
  | { status: 'loading'; wasTyped: boolean }
  /** The state is typed, because the country has no list, or the list could not be loaded. */
  | { status: 'free' }
  | { status: 'known'; names: string[] };

/** How long the form waits for a list, in milliseconds. */
const timeLimit = 10_000;

const freeText: Regions = { status: 'free' };

/** Returns the regions of a country, and loads them when the country changes. */
export function useRegions(country: string): Regions {
  const loadNames = ownValue(regionLoaders, country);
  const [lastResult, setLastResult] = useState<{ country: string; regions: Regions }>();

  useEffect(() => {
    let isCurrent = true;
    const storeResult = (regions: Regions) => isCurrent && setLastResult({ country, regions });
    if (!loadNames) return void storeResult(freeText);
    withTimeLimit(loadNames(), timeLimit).then(
      ({ default: names }) => storeResult({ status: 'known', names }),
      (error) => {
        logFailure(`The regions of ${country} could not be loaded`, error);
        storeResult(freeText);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [country, loadNames]);

  if (!loadNames) return freeText;
  if (lastResult?.country === country) return lastResult.regions;
  return { status: 'loading', wasTyped: lastResult?.regions.status === 'free' };
}
