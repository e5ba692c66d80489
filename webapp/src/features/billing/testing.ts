import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { BilledSubscription, Billing, Capability, Invoice, UserDetail } from '@/api';
import { aCard } from '@/testing/card-provider';
import { billingDetails, capabilitiesWithout, fullProvider } from '@/testing/fixtures';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { aud } from '@/testing/invoice-fixtures';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import BillingScreen from './BillingScreen';

/** The end of the period of `aBilledSubscription`. */
export const periodEnd = '2027-11-21T00:00:00Z';

/** An active yearly subscription of Professional. */
export const aBilledSubscription = (
  changes: Partial<BilledSubscription> = {},
): BilledSubscription => ({
  status: 'active',
  priceId: 'professional_yearly',
  interval: 'yearly',
  currency: 'AUD',
  amount: 81600,
  periodStart: '2026-11-21T00:00:00Z',
  periodEnd,
  trialEnd: null,
  endsAt: null,
  planEndsAt: null,
  hold: null,
  pending: null,
  scheduled: null,
  ...changes,
});

/** Serves the data of the billing page without invoices, and a provider that has all but the missing capabilities. */
export function serveBilling(
  subscription: BilledSubscription | null,
  billingParts: Partial<Billing> = {},
  user: Partial<UserDetail> = {},
  missingCapabilities: Capability[] = [],
) {
  serveConfig({
    provider: { ...fullProvider, capabilities: capabilitiesWithout(...missingCapabilities) },
  });
  serveUser(user);
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

export const openBilling = () => renderScreen(BillingScreen, '/vc-admin/diy/billing');

/** Waits for the section with this name and returns the queries within it. */
export const findRegion = async (name: string) =>
  within(await screen.findByRole('region', { name }));
