import { withOrdinarySpaces } from '@/testing/date-text';
import { anOrganisation, aUser } from '@/testing/fixtures';
import { runVectors } from '@/testing/run-vectors';
import { browserZones, dateVectors, timeVectors, useBrowserZone } from '@/testing/time-zone';
import { longDateTime } from './date-times';
import { longDate, mediumDate } from './dates';
import { useSessionStore } from './session-store';

const midnight = new Date('2026-12-31T13:00:00Z'); // the start of 1 January in Sydney

/** Signs in a user of an organisation in this time zone. */
function signIn(timeZone?: string) {
  const user = { ...aUser(), org: anOrganisation({ timeZone }) };
  useSessionStore.setState({
    session: { status: 'signedIn', user, customer: null, error: null, token: '' },
  });
}

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

  it('do not break, and are in the zone of the organisation unless another zone is given', () => {
    signIn('Australia/Sydney');
    expect(longDate(midnight)).toBe('1\u00a0January\u00a02027');
    expect(mediumDate(midnight)).toBe('1\u00a0Jan\u00a02027');
    expect(mediumDate(midnight, 'Australia/Brisbane')).toBe('31\u00a0Dec\u00a02026');
    expect(longDateTime(midnight)).toMatch(/^1\u00a0January\u00a02027 at 12:00\sam\u00a0AEDT$/);
  });

  it('have the same time of day in every locale', () => {
    signIn('Australia/Sydney');
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
    expect(longDateTime(midnight)).toMatch(/ at 12:00\u00a0am\u00a0AEDT$/);
  });

  it('are in the zone of the browser when the server reports no zone', () => {
    signIn();
    const isSydney = browserZone === 'Australia/Sydney';
    expect(longDate(midnight)).toBe(
      isSydney ? '1\u00a0January\u00a02027' : '31\u00a0December\u00a02026',
    );
  });
});
