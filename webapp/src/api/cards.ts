import { get, post } from './client';
import {
  acknowledgement,
  currencyCode,
  type Decoder,
  fields,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
} from './decode';
import { customer } from './organisation';
import { card, nextAction } from './parts';
import { intent } from './subscription';
import type { Card, Customer, NextAction, OverduePayment } from './types';

/** The part of a response that reports whether an overdue invoice was charged to the new default card. */
interface OverduePaymentResponse {
  /** The outcome of the payment; null if no invoice was charged. */
  payment: OverduePayment | null;
}

const overduePayment = object<OverduePaymentResponse>({
  payment: optional(
    object<OverduePayment>({
      status: oneOf('paid', 'declined', 'requires_action', 'processing', 'failed'),
      invoiceId: text,
      amount: number,
      currency: currencyCode,
      message: text,
      payment_intent: nullable(intent),
    }),
    null,
  ),
});

/** Makes a saved card the default one. Returns the customer with that card. */
export const setDefaultCard = (cardId: string) =>
  post('/vc-admin/org/customer/edit', editedCustomer, {
    invoice_settings: { default_payment_method: cardId },
  });

export const editedCustomer: Decoder<OverduePaymentResponse & { customer: Customer }> = (
  value,
  path,
) => ({
  customer: customer(value, path),
  ...overduePayment(value, path),
});

/** Returns the saved cards, newest first. The response may be a bare array, because the specification has both forms. */
export const listCards = () => get('/vc-admin/org/customer/cards', cards);

export const cards: Decoder<Card[]> = (value, path) =>
  list(card)(Array.isArray(value) ? value : fields(value, path).data, path);

/** Saves a card that was created in the browser, makes it the default and charges an overdue invoice. */
export const addCard = (paymentMethodId: string) =>
  post('/vc-admin/org/customer/cards/add', addedCard, { paymentMethodId, set_default: true });

/** Returns how to authenticate a card before it is saved, from the error that declines the card; null for other errors. */
export const cardAuthenticationIn = (error: { next: unknown }): NextAction | null =>
  optional(nextAction, null)(error.next, 'next');

/**
 * Decodes the added card. `card` is null if the response has none, because the specification does not name the card.
 * Throws if the response has a message, because the message reports an error.
 */
export const addedCard: Decoder<OverduePaymentResponse & { card: Card | null }> = (
  value,
  path,
) => ({
  card: 'message' in fields(value, path) ? card(value, path) : optional(card, null)(value, path),
  ...overduePayment(value, path),
});

/** Creates a page of the provider on which the customer saves a payment method, and returns its URL. */
export const setUpMethod = async (): Promise<string> =>
  (await post('/vc-admin/org/customer/cards/page', methodPage)).url;

export const methodPage = object<{ url: string }>({ url: text });

/** Deletes a saved card. */
export const deleteCard = (paymentMethodId: string) =>
  post('/vc-admin/org/customer/cards/del', acknowledgement, { paymentMethodId });
