import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { BilledSubscription, Billing, Capability, Invoice, UserDetail } from '@/api';
import { aCard } from '@/testing/card-provider';
import { billingDetails, capabilitiesWithout, fullProvider, periodEnd } from '@/testing/fixtures';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { aud } from '@/testing/invoice-fixtures';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import BillingScreen from './BillingScreen';

/**
 * Serves the data of the billing page without invoices, and a provider that has all capabilities except
 * `missingCapabilities`.
 */
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

export const openBillingScreen = () => renderScreen(BillingScreen, '/vc-admin/diy/billing');

/** Waits for the section with this name and returns the queries within it. */
export const findRegion = async (name: string) =>
  within(await screen.findByRole('region', { name }));
