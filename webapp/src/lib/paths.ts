const base = '/vc-admin/diy';

/** The routes of the app as the router matches them. Everything else goes through `paths`. */
export const routes = {
  area: base,
  plans: `${base}/plans`,
  regform: `${base}/regform`,
  registered: `${base}/registered`,
  payment: `${base}/payment`,
  confirm: `${base}/confirm`,
  cards: `${base}/cards`,
  pay: `${base}/pay`,
  billing: `${base}/billing`,
  end: `${base}/end`,
  invoices: `${base}/invoices`,
  details: `${base}/details`,
  contact: `${base}/contact`,
  dash: '/vc-admin/dash',
  confirmRegistration: '/vc-admin/auth/confirm',
  forgot: '/vc-admin/auth/forgot',
  reset: '/vc-admin/auth/reset',
} as const;

/** Whether links carry the debug parameter. */
interface Gate {
  debug?: boolean;
}

interface Price {
  product: string;
  currency: string;
  interval: string;
}

function withQuery(path: string, query: Record<string, string>, gate: Gate = {}): string {
  const parameters = new URLSearchParams(query);
  if (gate.debug) parameters.set('debug', 'true');
  return parameters.size > 0 ? `${path}?${parameters}` : path;
}

/** The address of a route with a query, in the given order. */
export interface Address {
  screen: keyof typeof routes;
  query: [key: string, value: string][];
}

/** The address of a target that was chosen by `targetOf`. */
export const addressOf = ({ screen, query }: Address): string =>
  withQuery(routes[screen], Object.fromEntries(query));

/** Every address of the app. The parameters have the specification's order. */
export const paths = {
  plans: (gate?: Gate) => withQuery(routes.plans, {}, gate),
  regform: ({ product, currency, interval }: Price, gate?: Gate) =>
    withQuery(routes.regform, { product, currency, interval }, gate),
  registered: (gate?: Gate) => withQuery(routes.registered, {}, gate),
  payment: ({ customer, product, currency, interval }: Price & { customer: string }, gate?: Gate) =>
    withQuery(routes.payment, { customer, product, currency, interval }, gate),
  confirm: (gate?: Gate) => withQuery(routes.confirm, {}, gate),
  cards: (gate?: Gate) => withQuery(routes.cards, {}, gate),
  pay: (gate?: Gate) => withQuery(routes.pay, {}, gate),
  billing: (gate?: Gate) => withQuery(routes.billing, {}, gate),
  end: (gate?: Gate) => withQuery(routes.end, {}, gate),
  invoices: (gate?: Gate) => withQuery(routes.invoices, {}, gate),
  details: (gate?: Gate) => withQuery(routes.details, {}, gate),
  contact: ({ product, interval }: { product?: string; interval?: string } = {}, gate?: Gate) =>
    withQuery(routes.contact, { ...(product && { product }), ...(interval && { interval }) }, gate),
  dash: (gate?: Gate) => withQuery(routes.dash, {}, gate),
  forgot: (gate?: Gate) => withQuery(routes.forgot, {}, gate),
  /** Answered by the server, not by the app: real navigations. */
  logout: '/vc-admin/auth/logout',
  root: '/',
} as const;
