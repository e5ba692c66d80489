import { screen } from '@testing-library/react';
import type { License } from '@/api';
import { aLicense, plainProvider } from '@/testing/fixtures';
import { serveConfig, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import DashboardScreen from './DashboardScreen';

/** A license for the yearly Professional plan with this status. */
export function aLicenseWithStatus(
  status: License['raw']['status'],
  raw: Partial<License['raw']> = {},
) {
  const license = aLicense({ interval: 'yearly' });
  const metadata = { name: 'professional', interval: 'yearly' as const };
  return { ...license, raw: { ...license.raw, status, metadata, ...raw } };
}

type UserParams = Parameters<typeof serveUser>;

/** Opens the dashboard as this user and waits until it is loaded. */
export async function openDashboard(
  user: UserParams[0],
  organisation: UserParams[1] = {},
  { query = '', live = false, provider = plainProvider } = {},
) {
  serveConfig({ live, provider });
  serveUser(user, organisation);
  const location = renderScreen(DashboardScreen, `/vc-admin/dash${query}`);
  await screen.findByRole('navigation', { name: 'Your account' });
  return location;
}
