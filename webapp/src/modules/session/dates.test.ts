import { withOrdinarySpaces } from '@/testing/date-text';
import { runVectors } from '@/testing/run-vectors';
import { browserZones, dateVectors, timeVectors, useBrowserZone } from '@/testing/time-zone';
import { longDateTime, mediumDate } from './date-times';
import { longDate } from './dates';

const midnight = new Date('2026-12-31T13:00:00Z'); // the start of 1 January in Sydney

describe.each(browserZones)('dates in a browser in %s', (browserZone) => {
  beforeEach(() => useBrowserZone(browserZone));

  describe('match the vectors', () => {
    runVectors(dateVectors, ({ time, zone }: { time: string; zone: string }) =>
      withOrdinarySpaces(longDate(new Date(time), zone)),
    );
  });

  describe('with the time of day match the vectors', () => {
    runVectors(timeVectors, ({ time, zone }: { time: string; zone: string }) =>
      withOrdinarySpaces(longDateTime(new Date(time), zone)),
    );
  });

  it('do not break', () => {
    expect(longDate(midnight, 'Australia/Sydney')).toBe('1\u00a0January\u00a02027');
    expect(mediumDate(midnight, 'Australia/Brisbane')).toBe('31\u00a0Dec\u00a02026');
    expect(longDateTime(midnight, 'Australia/Sydney')).toMatch(
      /^1\u00a0January\u00a02027 at 12:00\sam\u00a0AEDT$/,
    );
  });

  it('have the same time of day in every locale', () => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
    expect(longDateTime(midnight, 'Australia/Sydney')).toMatch(/ at 12:00\u00a0am\u00a0AEDT$/);
  });

  it('are in the zone of the browser when the server reports no zone', () => {
    const isSydney = browserZone === 'Australia/Sydney';
    expect(longDate(midnight, undefined)).toBe(
      isSydney ? '1\u00a0January\u00a02027' : '31\u00a0December\u00a02026',
    );
  });
});
