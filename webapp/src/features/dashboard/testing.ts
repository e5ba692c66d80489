import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type {
  BilledSubscription,
  Billing,
  Capability,
  Config,
  Invoice,
  License,
  UserDetail,
} from '@/api';
import { aCard } from '@/testing/card-provider';
import {
  aLicense,
  billingDetails,
  capabilitiesWithout,
  fullProvider,
  periodEnd,
} from '@/testing/fixtures';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { aud } from '@/testing/invoice-fixtures';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import DashboardScreen from './DashboardScreen';

/** Serves the data of the dashboard without invoices, on a server with all capabilities except `missingCapabilities`. */
export function serveBilling(
  subscription: BilledSubscription | null,
  billingParts: Partial<Billing> = {},
  user: Partial<UserDetail> = {},
  missingCapabilities: Capability[] = [],
  organization: Parameters<typeof serveUser>[1] = {},
) {
  serveConfig({
    provider: { ...fullProvider, capabilities: capabilitiesWithout(...missingCapabilities) },
  });
  serveUser(user, organization);
  const billing: Billing = {
    subscription,
    next: subscription && { ...aud(81600), at: periodEnd },
    credit: null,
    card: aCard('4242'),
    end: subscription && { kind: 'period_end', at: periodEnd },
    ...billingParts,
  };
  server.use(
    http.get('/vc-admin/org/billing', () => HttpResponse.json(billing)),
    http.get('/vc-admin/org/billing/details', () => HttpResponse.json(billingDetails)),
  );
  serveInvoices();
}

/** Serves these invoices as the only ones. */
export const serveInvoices = (...data: Invoice[]) =>
  servePost('/vc-admin/org/invoices/list', () => HttpResponse.json({ data, hasMore: false }));

export const openDashboard = () => renderScreen(DashboardScreen, '/vc-admin/dash');

/** Waits for the section with this name and returns the queries within it. */
export const findRegion = async (name: string) =>
  within(await screen.findByRole('region', { name }));

/** A license for the yearly Professional plan with this status. */
export function aLicenseWithStatus(
  status: License['raw']['status'],
  raw: Partial<License['raw']> = {},
) {
  const license = aLicense({ interval: 'yearly' });
  const metadata = { name: 'professional', interval: 'yearly' as const };
  return { ...license, raw: { ...license.raw, status, metadata, ...raw } };
}

/** The provider of a server without the capability `billing`. */
export const providerWithoutBilling: Config['provider'] = {
  ...fullProvider,
  capabilities: capabilitiesWithout('billing', 'at_period_end', 'quotes'),
};

type UserParams = Parameters<typeof serveUser>;

/** Opens the dashboard as this user on a server without the capability `billing`, and waits until it is loaded. */
export async function openDashboardWithoutBilling(
  user: UserParams[0],
  organisation: UserParams[1] = {},
  { query = '', ...config }: { query?: string } & Partial<Config> = {},
) {
  serveConfig({ provider: providerWithoutBilling, ...config });
  serveUser(user, organisation);
  const location = renderScreen(DashboardScreen, `/vc-admin/dash${query}`);
  await screen.findByRole('navigation', { name: 'Your account' });
  return location;
}
