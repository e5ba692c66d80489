import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { Card, Config, License, OpenPayment } from '@/api';
import { aCustomer, aLicense, aUser } from '@/testing/fixtures';
import { serveConfig, servePost, serveUser } from '@/testing/handlers';
import { renderScreen } from '@/testing/render-screen';
import { server } from '@/testing/server';
import ConfirmScreen from './ConfirmScreen';

export const path = '/vc-admin/diy/confirm';
export const standardYearly = { product: 'standard', interval: 'yearly', currency: 'AUD' } as const;
export const professionalYearly = {
  product: 'professional',
  interval: 'yearly',
  currency: 'AUD',
} as const;

/** The navigation state of a plan change. */
export const change = {
  user: aUser(),
  from: standardYearly,
  to: professionalYearly,
  mode: 'update',
};
/** The navigation state of a new subscription after one that has ended. */
export const renewal = { user: aUser(), to: professionalYearly, mode: 'update' };

export const openConfirm = (state: object | null = change, query = '') =>
  renderScreen(ConfirmScreen, { pathname: path, search: query, state }, ['/vc-admin/diy/plans']);

export const licenseWith = (
  status: License['raw']['status'],
  { product, interval }: { product: string; interval: 'monthly' | 'yearly' } = standardYearly,
): License => {
  const license = aLicense({ interval });
  return { ...license, raw: { ...license.raw, status, metadata: { name: product, interval } } };
};

/** Signs in a user with this license, default card and open payment. */
export function serveLicensee(
  license: License | null,
  card: Card | null,
  openPayment: OpenPayment | null = null,
  config: Partial<Config> = {},
): unknown[] {
  serveConfig(config);
  serveUser({ license, pastLicense: license ? null : licenseWith('canceled'), openPayment });
  return servePost('/vc-admin/org/customer', () =>
    HttpResponse.json(aCustomer({ invoice_settings: { default_payment_method: card } })),
  );
}

interface SentRequest {
  body: unknown;
  query: string;
}

/** Responds to a call and returns the requests it received. */
export function serveCall(call: string, response: object, status = 200): SentRequest[] {
  const requests: SentRequest[] = [];
  server.use(
    http.post(`/vc-admin/${call}`, async ({ request }) => {
      requests.push({ body: await request.json(), query: new URL(request.url).search });
      return HttpResponse.json(response, { status });
    }),
  );
  return requests;
}

export const updateCall = 'org/subscription/update';
export const subscribeCall = 'user-diy/subscribe';
export const listCall = 'org/subscription/list';

/** Waits for the button and returns it. */
export const findConfirmButton = () => screen.findByRole('button', { name: 'Confirm' });
