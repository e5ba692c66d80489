import { HttpResponse, http, type JsonBodyType } from 'msw';
import type { Config, Customer, UserDetail } from '@/api';
import { aConfig, aCustomer, anOrganisation, aUser, type OrganisationResponse } from './fixtures';
import { server } from './server';

const get = (path: string, body: JsonBodyType) => http.get(path, () => HttpResponse.json(body));

/** Serves config.json with these changes. */
export function serveConfig(changes: Partial<Config> = {}): void {
  server.use(get('/vc-admin/diy/config.json', aConfig(changes)));
}

/** Serves a list of the most common passwords. */
export function serveCommonPasswords(...passwords: string[]): void {
  server.use(get('/vc-admin/diy/common-passwords.json', { passwords }));
}

/** Serves no user, as for a visitor. */
export function serveVisitor(): void {
  server.use(get('/vc-admin/user/detail', { detail: null }));
}

/** Serves a signed-in user with an organisation, and its customer if the organisation has a stripeCustomerId. */
export function serveUser(
  user: Partial<UserDetail> = {},
  options: { org?: Partial<OrganisationResponse>; customer?: Partial<Customer> } = {},
): void {
  const org = anOrganisation(options.org);
  server.use(
    get('/vc-admin/user/detail', { detail: aUser(user) }),
    get(`/vc-admin/org/detail/${org.id}`, { ...org }),
  );
  if (org.stripeCustomerId) {
    const customer = aCustomer({ id: org.stripeCustomerId, ...options.customer });
    server.use(http.post('/vc-admin/org/customer', () => HttpResponse.json(customer)));
  }
}

/** Returns an error response of the server. */
export const errorResponse = (name: string, message: string, status: number, fields?: object) =>
  HttpResponse.json({ name, message, fields }, { status });

/** Responds to POSTs to a path and returns the request bodies. */
export function servePost(path: string, respond: () => Response | Promise<Response>): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    http.post(path, async ({ request }) => {
      const text = await request.text();
      bodies.push(text === '' ? null : JSON.parse(text));
      return respond();
    }),
  );
  return bodies;
}

/** Responds to a call that changes the subscription, after `beforeResponse`, and returns the request bodies. */
export function serveSubscriptionCall(
  call: string,
  response: JsonBodyType,
  status = 200,
  beforeResponse: () => void = () => {},
): unknown[] {
  return servePost(`/vc-admin/org/subscription/${call}`, () => {
    beforeResponse();
    return HttpResponse.json(response, { status });
  });
}
