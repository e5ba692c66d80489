import { debugParam, post } from './client';
import {
  type Decoder,
  id,
  ignored,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
} from './decode';
import { money, nextAction } from './parts';
import type {
  Intent,
  OpenPayment,
  PriceChoice,
  Quote,
  Subscription,
  SubscriptionStatus,
  When,
} from './types';

/** The parameters of a new subscription. Without a card the default one is charged. */
export interface SubscribeRequest extends PriceChoice {
  customerId?: string;
  paymentMethodId?: string;
  no_trial?: boolean;
  /** The invoice that an earlier card was declined for. */
  retryInvoiceId?: string;
  /** The quote that the customer has accepted; see PriceQuote. */
  quote?: string;
}

/** Starts the organisation's subscription, or pays an incomplete one. */
export const subscribe = (request: SubscribeRequest, debug: boolean) =>
  post('/vc-admin/user-diy/subscribe', subscription, request, debugParam(debug));

/** The new price, when it takes effect, and the quote that the customer has accepted. */
export interface ChangeRequest
  extends PriceChoice,
    Pick<SubscribeRequest, 'retryInvoiceId' | 'quote'> {
  /** When the change takes effect; 'now' by default. */
  when?: When;
}

/** Changes the price of the subscription. A change now ends a running trial. */
export const changePlan = (change: ChangeRequest, debug: boolean) =>
  post('/vc-admin/org/subscription/update', subscription, change, debugParam(debug));

/** The invoice to pay and the saved card to charge; without one the default card is charged. */
export type PayRequest = { paymentMethodId?: string } & (
  | (Pick<OpenPayment, 'invoiceId' | 'amount'> & { makeDefault?: boolean })
  | { setup: true }
);

/** Pays the open invoice, or starts the authentication of a trial's card (`setup`). */
export const payOpenPayment = (request: PayRequest) =>
  post('/vc-admin/org/subscription/pay', subscription, request);

/** Returns the current open payment of an error, when the request named another invoice or amount. */
export const openQuoteIn = (error: { quote: unknown }): Quote | null =>
  openQuote(error.quote, 'quote');

const openQuote = optional(
  object<Quote>({ invoiceId: text, amount: number, currency: text }),
  null,
);

/** Discards a plan change that waits for its payment. A change that was paid in the meantime has taken effect. */
export const cancelPendingChange = () =>
  post('/vc-admin/org/subscription/pending/cancel', subscription);

/** Returns an element for each of the organisation's subscriptions with a status. */
export const listSubscriptions = async (status: SubscriptionStatus) =>
  (await post('/vc-admin/org/subscription/list', subscriptions, { status })).data;

export const subscriptions = object({ data: list(ignored) });

/** A payment or authentication; the specification names its status and client secret. */
export const intent = object<Intent>({
  id: optional(text, ''),
  status: text as Decoder<Intent['status']>,
  client_secret: optional(text, ''),
});

/**
 * The subscription after a payment. A back end that follows only the specification reports no outcome and next
 * action.
 */
export const subscription = object<Subscription>({
  id: optional(id, ''),
  status: id as Decoder<SubscriptionStatus>,
  latest_invoice: nullable(object({ id, payment_intent: nullable(intent) })),
  outcome: optional(
    oneOf(
      'succeeded',
      'confirm_setup',
      'confirm_payment',
      'redirect',
      'card_declined',
      'processing',
      'failed',
    ),
  ),
  next: optional(nextAction, null),
  charged_differs: optional(object({ quoted: money, charged: money })),
});
