const base = '/vc-admin/diy';

/** The paths of the app's routes; `paths` returns their addresses with queries. */
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
  invoice: `${base}/invoices/:id`,
  details: `${base}/details`,
  contact: `${base}/contact`,
  dash: '/vc-admin/dash',
  confirmRegistration: '/vc-admin/auth/confirm',
  forgot: '/vc-admin/auth/forgot',
  reset: '/vc-admin/auth/reset',
  confirmBillingEmail: '/vc-admin/auth/billing-email',
  emailPreferences: '/vc-admin/auth/emails',
} as const;

/** Whether an address has the debug parameter. */
interface DebugParam {
  debug?: boolean;
}

interface Price {
  product: string;
  currency: string;
  interval: string;
}

function withQuery(
  path: string,
  query: Record<string, string>,
  debugParam: DebugParam = {},
): string {
  const parameters = new URLSearchParams(query);
  if (debugParam.debug) parameters.set('debug', 'true');
  const search = parameters.toString(); // older browsers lack `size`
  return search ? `${path}?${search}` : path;
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
  plans: (debugParam?: DebugParam) => withQuery(routes.plans, {}, debugParam),
  regform: ({ product, currency, interval }: Price, debugParam?: DebugParam) =>
    withQuery(routes.regform, { product, currency, interval }, debugParam),
  registered: (debugParam?: DebugParam) => withQuery(routes.registered, {}, debugParam),
  payment: (
    { customer, product, currency, interval }: Price & { customer: string },
    debugParam?: DebugParam,
  ) => withQuery(routes.payment, { customer, product, currency, interval }, debugParam),
  confirm: (debugParam?: DebugParam) => withQuery(routes.confirm, {}, debugParam),
  cards: (debugParam?: DebugParam) => withQuery(routes.cards, {}, debugParam),
  pay: (debugParam?: DebugParam) => withQuery(routes.pay, {}, debugParam),
  billing: (debugParam?: DebugParam) => withQuery(routes.billing, {}, debugParam),
  end: (debugParam?: DebugParam) => withQuery(routes.end, {}, debugParam),
  invoices: (debugParam?: DebugParam) => withQuery(routes.invoices, {}, debugParam),
  invoice: (id: string, debugParam?: DebugParam) =>
    withQuery(routes.invoice.replace(':id', encodeURIComponent(id)), {}, debugParam),
  details: (debugParam?: DebugParam) => withQuery(routes.details, {}, debugParam),
  contact: (
    { product, interval }: { product?: string; interval?: string } = {},
    debugParam?: DebugParam,
  ) =>
    withQuery(
      routes.contact,
      { ...(product && { product }), ...(interval && { interval }) },
      debugParam,
    ),
  dash: (debugParam?: DebugParam) => withQuery(routes.dash, {}, debugParam),
  forgot: (debugParam?: DebugParam) => withQuery(routes.forgot, {}, debugParam),
  /** Outside of the app: the server responds to these. */
  logout: '/vc-admin/auth/logout',
  root: '/',
} as const;
