import { randomUUID } from 'node:crypto';
import type { CallName } from './calls';
import type { Card, StripeAccount, Subscription } from './stripe-account';

/** The refusal of a request, with its response. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, message: string, name?: string) {
    super(message);
    this.status = status;
    this.body = { message, ...(name && { name }) };
  }
}

/** An organisation with its user. */
export interface Account {
  email: string;
  password: string;
  org: string;
  currency: string;
  orgId: string;
  verified: boolean;
  stripeCustomerId?: string;
}

type Registration = Pick<Account, 'email' | 'password' | 'org'> & {
  metadata?: { currency?: string };
};

/** A request of a specified call. */
export interface Request {
  /** The text in place of `:id` in the path; empty for a call without `:id`. */
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: JSON whose keys were checked
  body: any;
  /** The signed-in account, or undefined for a visitor. */
  account?: Account;
}

/** The calls except sign-in and sign-out, which SpecOnlyServer handles. */
type BackEndCall = Exclude<CallName, 'POST /auth/login' | 'GET /vc-admin/auth/logout'>;

const licensedStatuses = ['trialing', 'active', 'past_due'];
const trialDays = '7';

/**
 * Implements the calls of the specification. Accounts are in memory, and everything else is at the fake Stripe API.
 * Responses have only the fields that the specification names.
 */
export class BackEnd {
  readonly #accounts: Account[] = [];
  readonly #stripe: StripeAccount;

  constructor(stripe: StripeAccount) {
    this.#stripe = stripe;
  }

  /** Returns the account of an email address. */
  account(email: string): Account {
    const account = this.#accounts.find((each) => each.email === email);
    if (!account) throw new Error(`${email} is not registered`);
    return account;
  }

  readonly calls: Record<BackEndCall, (request: Request) => Promise<object> | object> = {
    'GET /vc-admin/user/detail': async (request) => ({ detail: await this.#detail(request) }),
    'GET /vc-admin/org/detail/:id': (request) => {
      const { orgId, stripeCustomerId } = accountOf(request);
      if (request.id !== orgId) throw new Refusal(404, 'Not found');
      return { ...(stripeCustomerId && { stripeCustomerId }) };
    },
    'POST /vc-admin/signup': ({ body }) => this.register(body),
    'POST /vc-admin/user-diy/new-customer': async (request) => {
      const account = accountOf(request);
      account.stripeCustomerId ??= (await this.#stripe.createCustomer()).id;
      return {};
    },
    'POST /vc-admin/org/customer': (request) =>
      this.#customer(accountOf(request), 'expand' in (request.body ?? {})),
    'POST /vc-admin/user-diy/subscribe': (request) => this.#subscribe(request),
    'POST /vc-admin/org/subscription/update': (request) => this.#update(request),
    'POST /vc-admin/org/subscription/list': async (request) => {
      const subscriptions = await this.#stripe.subscriptions(customerOf(request));
      const data = subscriptions.filter(({ status }) => status === request.body.status);
      return { data: data.map(({ id, status }) => ({ id, status })) };
    },
    'GET /vc-admin/org/customer/cards': async (request) => {
      const { stripeCustomerId } = accountOf(request);
      const cards = stripeCustomerId ? await this.#stripe.cards(stripeCustomerId) : [];
      return { data: cards.map(toCard) };
    },
    'POST /vc-admin/org/customer/edit': async (request) => {
      const { default_payment_method: card } = request.body.invoice_settings;
      await this.#stripe.setDefaultCard(customerOf(request), card);
      return this.#customer(accountOf(request), false);
    },
    'POST /vc-admin/org/customer/cards/del': async ({ body }) => {
      await this.#stripe.deleteCard(body.paymentMethodId);
      return {};
    },
    'POST /vc-admin/org/customer/cards/add': async (request) => {
      await this.#stripe.addCard(customerOf(request), request.body.paymentMethodId);
      return {};
    },
  };

  /** Registers an organisation. Its user is not verified yet. */
  register({ email, password, org, metadata }: Registration): object {
    if (this.#accounts.some((account) => account.org === org)) {
      throw new Refusal(400, 'This org exists already', 'ERRDUPLICATE');
    }
    if (this.#accounts.some((account) => account.email === email)) {
      throw new Refusal(400, 'This email exists already', 'ERRDUPLICATE');
    }
    const currency = metadata?.currency ?? '';
    const account = { email, password, org, currency, orgId: randomUUID(), verified: false };
    this.#accounts.push(account);
    return {};
  }

  /** Returns the account with these credentials. */
  authenticate({ username, password }: { username: string; password: string }): Account {
    const account = this.#accounts.find((each) => each.email === username);
    if (account?.password !== password) throw new Refusal(401, 'Invalid login');
    if (!account.verified) throw new Refusal(401, 'Your account is not verified yet');
    return account;
  }

  async #detail(request: Request): Promise<object> {
    const { orgId, stripeCustomerId: customer } = accountOf(request);
    const subscriptions = customer ? await this.#stripe.subscriptions(customer) : [];
    const licensedSubscription = findLicensed(subscriptions);
    const canceledSubscription = subscriptions.find(({ status }) => status === 'canceled');
    if (licensedSubscription) return { orgId, license: toLicense(licensedSubscription) };
    return { orgId, ...(canceledSubscription && { pastLicense: toLicense(canceledSubscription) }) };
  }

  async #customer(account: Account, expandsCard: boolean): Promise<object> {
    const { id, currency, invoice_settings } = await this.#stripe.customer(customerOf({ account }));
    const { default_payment_method: method } = invoice_settings;
    const card = expandsCard && (await this.#stripe.cards(id)).find((each) => each.id === method);
    return {
      id,
      currency,
      metadata: { currency: account.currency },
      invoice_settings: { default_payment_method: card ? toCard(card) : method },
    };
  }

  /** Starts a subscription, or returns the payment of an incomplete subscription with the same price. */
  async #subscribe(request: Request): Promise<object> {
    const customer = customerOf(request);
    const { priceId, currency, paymentMethodId, no_trial } = request.body;
    await this.#stripe.addCard(customer, paymentMethodId);
    const subscriptions = await this.#stripe.subscriptions(customer);
    const incompleteSubscription = subscriptions.find(
      (each) => each.status === 'incomplete' && lookupKeyOf(each) === priceId,
    );
    const subscription =
      incompleteSubscription ??
      (await this.#stripe.subscribe(customer, priceId, {
        currency: currency.toLowerCase(),
        ...(!no_trial && { trial_period_days: trialDays }),
      }));
    return this.#paymentOf(subscription);
  }

  async #update(request: Request): Promise<object> {
    const licensedSubscription = findLicensed(
      await this.#stripe.subscriptions(customerOf(request)),
    );
    if (!licensedSubscription) throw new Refusal(400, 'There is no subscription');
    const subscription = await this.#stripe.changePrice(licensedSubscription, request.body.priceId);
    if (subscription.pending_update) throw new Refusal(402, 'Your card was declined.');
    return this.#paymentOf(subscription);
  }

  async #paymentOf({ status, latest_invoice: id }: Subscription): Promise<object> {
    const intent = await this.#stripe.paymentIntent(id);
    const payment_intent = intent && { status: intent.status, client_secret: intent.client_secret };
    return { status, latest_invoice: { id, payment_intent } };
  }
}

/** Returns the signed-in account, and refuses a visitor. */
function accountOf({ account }: Pick<Request, 'account'>): Account {
  if (!account) throw new Refusal(401, 'Unauthorized');
  return account;
}

/** Returns the id of the signed-in account's customer, and refuses an account without one. */
function customerOf(request: Pick<Request, 'account'>): string {
  const { stripeCustomerId } = accountOf(request);
  if (!stripeCustomerId) throw new Refusal(400, 'There is no customer');
  return stripeCustomerId;
}

/** Returns the subscription that entitles its organisation to a license. */
const findLicensed = (subscriptions: Subscription[]): Subscription | undefined =>
  subscriptions.find(({ status }) => licensedStatuses.includes(status));

/** Returns the lookup key of a subscription's price: its plan and interval. */
const lookupKeyOf = ({ items }: Subscription): string => items.data[0]?.price.lookup_key ?? '';

function toLicense(subscription: Subscription): object {
  const [name, interval] = lookupKeyOf(subscription).split('_');
  const { id, status } = subscription;
  return { id, interval, isDev: false, raw: { status, metadata: { name, interval } } };
}

function toCard({ id, card: { last4, exp_month, exp_year } }: Card): Card {
  return { id, card: { last4, exp_month, exp_year } };
}
