export { default as dateVectors } from '../../../testdata/vectors/dates.json';
export { default as timeZoneVectors } from '../../../testdata/vectors/time-zones.json';
export { default as timeVectors } from '../../../testdata/vectors/times.json';

/** The browser's time zones in which tests compare dates. */
export const browserZones = ['Australia/Sydney', 'Europe/London', 'America/Los_Angeles'];

/** Sets the browser's time zone and an Australian locale for one test. */
export function useBrowserZone(zone: string): void {
  vi.stubEnv('TZ', zone);
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-AU']);
  expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
}
