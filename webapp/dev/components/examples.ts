import type { Card } from '@/api';
import type { User } from '@/modules/session/session-store';
import { aConfig, anOrganisation, aUser, fullProvider } from '@/testing/fixtures';

/** The configuration and the user that the components on the page read. */
export const config = aConfig({ provider: fullProvider, timeZone: 'Australia/Sydney' });
export const user: User = {
  ...aUser({
    role: 'owner',
    organisations: [
      { id: 'org_1', name: 'Byron Clinic', role: 'owner' },
      { id: 'org_2', name: 'Harbour Clinic', role: 'billing' },
    ],
  }),
  org: anOrganisation({ timeZone: 'Australia/Sydney' }),
};

/** Returns a saved card. */
export const card = (brand: string, last4: string): Card => ({
  id: `pm_${last4}`,
  card: { brand, last4, exp_month: 12, exp_year: 2034 },
});

/** A handler that does nothing. */
export const noop = () => {};
