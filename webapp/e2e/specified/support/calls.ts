/** The keys that a request may have. The keys of inner objects have dots: `billing_address.city`. */
interface Call {
  query?: readonly string[];
  required?: readonly string[];
  optional?: readonly string[];
}

const choiceKeys = ['priceId', 'interval', 'currency'];
const addressKeys = ['line1', 'line2', 'country', 'state', 'postal_code', 'city'];
const registrationKeys = ['firstName', 'lastName', 'org', 'email', 'password', 'contact'];

/** The specified calls that the web app makes, with the keys that the specification names. `:id` matches any text. */
export const specifiedCalls = {
  'GET /vc-admin/user/detail': {},
  'GET /vc-admin/org/detail/:id': {},
  'POST /vc-admin/org/customer': { optional: ['expand'] },
  'POST /auth/login': { required: ['username', 'password'] },
  'POST /vc-admin/signup': {
    query: ['debug'],
    required: [...registrationKeys, ...addressKeys.map((field) => `billing_address.${field}`)],
    optional: ['password_repeat', 'metadata.currency'],
  },
  'POST /vc-admin/user-diy/new-customer': {},
  'GET /vc-admin/auth/logout': {},
  'POST /vc-admin/user-diy/subscribe': {
    query: ['debug'],
    required: ['customerId', 'paymentMethodId', ...choiceKeys],
    optional: ['no_trial'],
  },
  'POST /vc-admin/org/subscription/update': { query: ['debug'], required: choiceKeys },
  'POST /vc-admin/org/subscription/list': { required: ['status'] },
  'GET /vc-admin/org/customer/cards': {},
  'POST /vc-admin/org/customer/edit': { required: ['invoice_settings.default_payment_method'] },
  'POST /vc-admin/org/customer/cards/del': { required: ['paymentMethodId'] },
  'POST /vc-admin/org/customer/cards/add': { required: ['paymentMethodId', 'set_default'] },
} as const satisfies Record<string, Call>;

/** A call of the specification: method and path. */
export type CallName = keyof typeof specifiedCalls;

/** Returns the call of a method and path, and the text in place of `:id`; null if none is specified. */
export function findCall(method: string, path: string): { name: CallName; id: string } | null {
  const callName = `${method} ${path}`;
  if (callName in specifiedCalls) return { name: callName as CallName, id: '' };
  const slash = callName.lastIndexOf('/');
  const name = `${callName.slice(0, slash)}/:id`;
  return name in specifiedCalls ? { name: name as CallName, id: callName.slice(slash + 1) } : null;
}

/** Describes the unknown and the missing keys of a request, and a body without keys. */
export function requestProblems(
  name: CallName,
  query: URLSearchParams,
  body: object | null,
): string[] {
  const { query: parameters = [], required = [], optional = [] }: Call = specifiedCalls[name];
  const keys = keysOf(body ?? {});
  return [
    ...(body && keys.length === 0 ? [`${name}: a body where the specification has none`] : []),
    ...[...query.keys()]
      .filter((key) => !parameters.includes(key))
      .map((key) => `${name}: unknown query parameter ${key}`),
    ...keys
      .filter((key) => !required.includes(key) && !optional.includes(key))
      .map((key) => `${name}: unknown key ${key}`),
    ...required.filter((key) => !keys.includes(key)).map((key) => `${name}: no ${key}`),
  ];
}

/** Returns the keys of an object and of its inner objects. */
function keysOf(body: object, prefix = ''): string[] {
  return Object.entries(body).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? keysOf(value, `${prefix}${key}.`)
      : [prefix + key],
  );
}
