import { HttpResponse, http, type JsonBodyType } from 'msw';
import type { Config, Customer, Organisation, UserDetail } from '@/api';
import { aConfig, aCustomer, anOrganisation, aUser } from './fixtures';
import { server } from './server';

const get = (path: string, body: JsonBodyType) => http.get(path, () => HttpResponse.json(body));

/** The server answers config.json, and with it every screen can be shown. */
export function serveConfig(changes: Partial<Config> = {}): void {
  server.use(get('/vc-admin/diy/config.json', aConfig(changes)));
}

/** Nobody is signed in. */
export function serveVisitor(): void {
  server.use(get('/vc-admin/user/detail', { detail: null }));
}

/** Somebody is signed in; an organisation without stripeCustomerId has no customer to ask for. */
export function serveUser(
  user: Partial<UserDetail> = {},
  about: { org?: Partial<Organisation>; customer?: Partial<Customer> } = {},
): void {
  const org = anOrganisation(about.org);
  server.use(
    get('/vc-admin/user/detail', { detail: aUser(user) }),
    get(`/vc-admin/org/detail/${org.id}`, { ...org }),
  );
  if (org.stripeCustomerId) {
    const customer = aCustomer({ id: org.stripeCustomerId, ...about.customer });
    server.use(http.post('/vc-admin/org/customer', () => HttpResponse.json(customer)));
  }
}
