import { useEffect, useState } from 'react';
import { logFailure } from '@/lib/log';
import { countryCode } from '@/rules/address';
import { ownValue } from '@/rules/own-value';
import { clean } from '@/rules/text';

/** The country and the state of an address. */
export interface Place {
  country: string;
  state: string;
}

/** Returns the time zone of an address, or undefined for an unknown country. `zones` has keys such as 'AU/new south wales'. */
export function timeZoneOf(
  zones: Record<string, string>,
  { country, state }: Place,
): string | undefined {
  const code = countryCode(country);
  return ownValue(zones, `${code}/${clean(state).toLowerCase()}`) ?? ownValue(zones, code);
}

/** Returns the time zone of an organisation with this address, or undefined until the zones are loaded. */
export function useTimeZone(place: Place): string | undefined {
  const [zones, setZones] = useState<Record<string, string>>({});
  useEffect(() => {
    import('virtual:time-zones').then(
      ({ default: loadedZones }) => setZones(loadedZones),
      (error) => logFailure('The time zones could not be loaded', error),
    );
  }, []);
  return timeZoneOf(zones, place);
}
