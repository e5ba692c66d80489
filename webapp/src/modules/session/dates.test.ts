import { anOrganisation, aUser } from '@/testing/fixtures';
import { runVectors } from '@/testing/run-vectors';
import { browserZones, dateVectors, useBrowserZone } from '@/testing/time-zone';
import { longDate, longDateTime, mediumDate } from './dates';
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
      longDate(new Date(time), zone),
    );
  });

  it('are in the zone of the organisation unless another zone is given', () => {
    signIn('Australia/Sydney');
    expect(longDate(midnight)).toBe('1 January 2027');
    expect(mediumDate(midnight)).toBe('1 Jan 2027');
    expect(mediumDate(midnight, 'Australia/Brisbane')).toBe('31 Dec 2026');
    expect(longDateTime(midnight)).toMatch(/^1 January 2027 at 12:00\sam AEDT$/);
  });

  it('are in the zone of the browser when the server reports no zone', () => {
    signIn();
    const isSydney = browserZone === 'Australia/Sydney';
    expect(longDate(midnight)).toBe(isSydney ? '1 January 2027' : '31 December 2026');
  });
});
