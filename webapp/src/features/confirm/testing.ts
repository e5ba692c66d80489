import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { Card, Config, License, OpenPayment } from '@/api';
import { aCustomer, aLicense, aUser } from '@/testing/fixtures';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import ConfirmScreen from './ConfirmScreen';

export const confirmPath = '/vc-admin/diy/confirm';
export const standardYearly = { product: 'standard', interval: 'yearly', currency: 'AUD' } as const;
export const professionalYearly = {
  product: 'professional',
  interval: 'yearly',
  currency: 'AUD',
} as const;

/** The price in the requests for `changeState` and `resubscriptionState`. */
export const priceChoice = {
  priceId: 'professional_yearly',
  interval: 'yearly',
  currency: 'AUD',
} as const;

/** The navigation state of a plan change. */
export const changeState = {
  user: aUser(),
  from: standardYearly,
  to: professionalYearly,
  mode: 'update',
};
/** The navigation state of a new subscription after one that has ended. */
export const resubscriptionState = { user: aUser(), to: professionalYearly, mode: 'update' };

export const openConfirmScreen = (state: object | null = changeState, query = '') =>
  renderScreen(ConfirmScreen, { pathname: confirmPath, search: query, state }, [
    '/vc-admin/diy/plans',
  ]);

export const aLicenseWithStatus = (
  status: License['raw']['status'],
  { product, interval }: { product: string; interval: 'monthly' | 'yearly' } = standardYearly,
): License => {
  const license = aLicense({ interval });
  return { ...license, raw: { ...license.raw, status, metadata: { name: product, interval } } };
};

/** Serves a user with this license, default card and open payment. Returns the bodies of the requests for the customer. */
export function serveLicensee(
  license: License | null,
  card: Card | null,
  openPayment: OpenPayment | null = null,
  config: Partial<Config> = {},
): unknown[] {
  serveConfig(config);
  serveUser({ license, pastLicense: license ? null : aLicenseWithStatus('canceled'), openPayment });
  return servePost('/vc-admin/org/customer', () =>
    HttpResponse.json(aCustomer({ invoice_settings: { default_payment_method: card } })),
  );
}

interface RecordedRequest {
  body: unknown;
  query: string;
}

/** Responds to POST requests to this path; returns the requests that it received. */
export function serveCall(apiPath: string, response: object, status = 200): RecordedRequest[] {
  const requests: RecordedRequest[] = [];
  server.use(
    http.post(`/vc-admin/${apiPath}`, async ({ request }) => {
      requests.push({ body: await request.json(), query: new URL(request.url).search });
      return HttpResponse.json(response, { status });
    }),
  );
  return requests;
}

/** Serves the states of an intent at the fake provider, in order; returns the bodies of the confirm requests. */
export function serveIntent(
  ...responses: { status: string; last_payment_error?: { message: string } }[]
) {
  const respond = () => HttpResponse.json({ id: 'pi_1', ...responses.shift() });
  server.use(http.get('/dev/payments/intents/pi_1_secret', respond));
  return servePost('/dev/payments/intents/pi_1_secret/confirm', respond);
}

export const updatePath = 'org/subscription/update';
export const subscribePath = 'user-diy/subscribe';
export const quotePath = 'org/subscription/quote';
export const listPath = 'org/subscription/list';

/** Matches the text that the Standard plan of `aLicenseWithStatus` has not changed. */
export const keptPlanPattern = /Your plan has not changed\. You keep Standard\./;

export const findSummary = () => screen.findByRole('region', { name: 'Summary' });
export const findConfirmButton = () => screen.findByRole('button', { name: 'Confirm' });

/** Waits until the change can be confirmed, and confirms it. */
export async function confirmChange(): Promise<void> {
  await waitFor(async () => expect(await findConfirmButton()).not.toHaveAttribute('aria-disabled'));
  await userEvent.click(await findConfirmButton());
}

export async function openAndConfirm(state: object = changeState, query = ''): Promise<void> {
  openConfirmScreen(state, query);
  await confirmChange();
}
