const base = '/vc-admin/diy';

/** The paths of the app's routes. */
export const routes = {
  area: base,
  plans: `${base}/plans`,
  regform: `${base}/regform`,
  registered: `${base}/registered`,
  payment: `${base}/payment`,
  confirm: `${base}/confirm`,
  cards: `${base}/cards`,
  pay: `${base}/pay`,
  /** Redirects to `dash`. */
  billing: `${base}/billing`,
  end: `${base}/end`,
  invoices: `${base}/invoices`,
  invoice: `${base}/invoices/:id`,
  details: `${base}/details`,
  account: `${base}/account`,
  members: `${base}/members`,
  contact: `${base}/contact`,
  dash: '/vc-admin/dash',
  confirmRegistration: '/vc-admin/auth/confirm',
  forgot: '/vc-admin/auth/forgot',
  reset: '/vc-admin/auth/reset',
  confirmBillingEmail: '/vc-admin/auth/billing-email',
  confirmEmail: '/vc-admin/auth/email',
  undo: '/vc-admin/auth/undo',
  emailPreferences: '/vc-admin/auth/emails',
  invitation: '/vc-admin/auth/invitation',
} as const;

interface PriceParams {
  product: string;
  currency: string;
  interval: string;
}

function withQuery(path: string, query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString(); // older browsers lack `size`
  return search ? `${path}?${search}` : path;
}

/** Returns a URL with the debug parameter after its other parameters. */
export function withDebug(url: string): string {
  const [path = '', query = ''] = url.split('?');
  return withQuery(path, { ...Object.fromEntries(new URLSearchParams(query)), debug: 'true' });
}

/** A screen with its query parameters, in the order of the URL. */
interface ScreenQuery {
  screen: keyof typeof routes;
  query: [key: string, value: string][];
}

/** Returns the URL of a screen, such as a target of `targetOf`. */
export const urlOf = ({ screen, query }: ScreenQuery): string =>
  withQuery(routes[screen], Object.fromEntries(query));

/** The URLs with parameters, in the order of the specification, and the URLs outside of the app. */
export const paths = {
  regform: ({ product, currency, interval }: PriceParams) =>
    withQuery(routes.regform, { product, currency, interval }),
  payment: ({ customer, product, currency, interval }: PriceParams & { customer: string }) =>
    withQuery(routes.payment, { customer, product, currency, interval }),
  invoice: (id: string) => routes.invoice.replace(':id', encodeURIComponent(id)),
  contact: ({ product, interval }: { product?: string; interval?: string }) =>
    withQuery(routes.contact, { ...(product && { product }), ...(interval && { interval }) }),
  // Pages of the server, not of the app.
  logout: '/vc-admin/auth/logout',
  root: '/',
} as const;

/** Returns the tel: URL of a number that may contain spaces and brackets. */
export const phoneUrl = (number: string): string => `tel:${number.replace(/[^+\d]/g, '')}`;
