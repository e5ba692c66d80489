import type { StripeServer } from '../../stripe/support/stripe-server';

/** An error of the fake Stripe API. Its message is for the customer if it is about a card. */
export class StripeError extends Error {}

interface List<T> {
  data: T[];
}

interface Customer {
  id: string;
  currency: string | null;
  invoice_settings: { default_payment_method: string | null };
}

export interface Card {
  id: string;
  card: { last4: string; exp_month: number; exp_year: number };
}

export interface Subscription {
  id: string;
  status: string;
  latest_invoice: string;
  /** A price change that waits for its payment. */
  pending_update: object | null;
  items: List<{ id: string; price: { id: string; lookup_key: string } }>;
}

type Form = Record<string, string>;

/** A client of the fake Stripe API for customers, cards and subscriptions. */
export class StripeAccount {
  readonly #settings: Record<string, string>;

  constructor({ settings }: StripeServer) {
    this.#settings = settings;
  }

  createCustomer(): Promise<Customer> {
    return this.#send('POST', '/v1/customers');
  }

  customer(id: string): Promise<Customer> {
    return this.#send('GET', `/v1/customers/${id}`);
  }

  async cards(customer: string): Promise<Card[]> {
    const path = `/v1/customers/${customer}/payment_methods?type=card`;
    return (await this.#send<List<Card>>('GET', path)).data;
  }

  setDefaultCard(customer: string, card: string): Promise<Customer> {
    const form = { 'invoice_settings[default_payment_method]': card };
    return this.#send('POST', `/v1/customers/${customer}`, form);
  }

  /** Attaches a card unless it is attached already. Makes the card the default. */
  async addCard(customer: string, card: string): Promise<void> {
    const savedCards = await this.cards(customer);
    if (!savedCards.some(({ id }) => id === card)) {
      await this.#send('POST', `/v1/payment_methods/${card}/attach`, { customer });
    }
    await this.setDefaultCard(customer, card);
  }

  async deleteCard(card: string): Promise<void> {
    await this.#send('POST', `/v1/payment_methods/${card}/detach`);
  }

  /** Returns the subscriptions of a customer, newest first. */
  async subscriptions(customer: string): Promise<Subscription[]> {
    const path = `/v1/subscriptions?customer=${customer}&status=all`;
    return (await this.#send<List<Subscription>>('GET', path)).data;
  }

  async subscribe(customer: string, price: string, form: Form): Promise<Subscription> {
    return this.#send('POST', '/v1/subscriptions', {
      customer,
      'items[0][price]': await this.#priceId(price),
      payment_behavior: 'allow_incomplete',
      off_session: 'false',
      ...form,
    });
  }

  /** Changes the price immediately, which ends a trial. */
  async changePrice(subscription: Subscription, price: string): Promise<Subscription> {
    const [item] = subscription.items.data;
    const intervalOf = (lookupKey = '') => lookupKey.split('_').at(-1);
    const intervalChanges = intervalOf(item?.price.lookup_key) !== intervalOf(price);
    return this.#send('POST', `/v1/subscriptions/${subscription.id}`, {
      'items[0][id]': item?.id ?? '',
      'items[0][price]': await this.#priceId(price),
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
      ...(subscription.status === 'trialing'
        ? { trial_end: 'now' }
        : intervalChanges && { billing_cycle_anchor: 'now' }),
    });
  }

  async cancel({ id }: Subscription): Promise<void> {
    await this.#send('DELETE', `/v1/subscriptions/${id}`);
  }

  /** Returns the payment intent of an invoice; null if nothing was due. */
  async paymentIntent(invoice: string): Promise<{ status: string; client_secret: string } | null> {
    const path = `/v1/invoices/${invoice}?expand[]=confirmation_secret`;
    const { confirmation_secret: secret } = await this.#send<{
      confirmation_secret: { client_secret: string } | null;
    }>('GET', path);
    if (!secret) return null;
    const [id] = secret.client_secret.split('_secret_');
    return this.#send('GET', `/v1/payment_intents/${id}`);
  }

  /** Returns the id of the price with a lookup key, such as standard_yearly. */
  async #priceId(lookupKey: string): Promise<string> {
    const path = `/v1/prices?lookup_keys[]=${encodeURIComponent(lookupKey)}`;
    const [price] = (await this.#send<List<{ id: string }>>('GET', path)).data;
    if (!price) throw new StripeError(`There is no price ${lookupKey}.`);
    return price.id;
  }

  async #send<T>(method: string, path: string, form: Form = {}): Promise<T> {
    const { DIY_STRIPE_API_URL: url, DIY_STRIPE_SECRET_KEY: key } = this.#settings;
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${key}` },
      ...(method === 'POST' && { body: new URLSearchParams(form) }),
    });
    const body = await response.json();
    if (!response.ok) throw new StripeError(body.error.message);
    return body;
  }
}
