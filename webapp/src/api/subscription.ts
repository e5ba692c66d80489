import { debugQuery, post } from './client';
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
  ChangeTiming,
  Intent,
  OpenInvoice,
  OpenPayment,
  PriceChoice,
  Subscription,
  SubscriptionStatus,
} from './types';

/** The parameters of a new subscription. Without `paymentMethodId` the default card is charged. */
export interface SubscribeRequest extends PriceChoice {
  customerId?: string;
  paymentMethodId?: string;
  no_trial?: boolean;
  /** The invoice for which an earlier card was declined. */
  retryInvoiceId?: string;
  /** The quote that the customer has accepted; see PriceQuote. */
  quote?: string;
}

/** Starts the organisation's subscription, or pays an incomplete one. */
export const subscribe = (request: SubscribeRequest, debug: boolean) =>
  post('/vc-admin/user-diy/subscribe', subscription, request, debugQuery(debug));

/** The parameters of a plan change. */
export interface ChangeRequest
  extends PriceChoice,
    Pick<SubscribeRequest, 'retryInvoiceId' | 'quote'> {
  /** The time at which the change takes effect; 'now' by default. */
  when?: ChangeTiming;
}

/** Changes the price of the subscription. A change with `when: 'now'` ends a running trial. */
export const changePlan = (change: ChangeRequest, debug: boolean) =>
  post('/vc-admin/org/subscription/update', subscription, change, debugQuery(debug));

/** The invoice to pay, or `setup` for a trial's card. Without `paymentMethodId` the default card is charged. */
export type PayRequest = { paymentMethodId?: string } & (
  | (Pick<OpenPayment, 'invoiceId' | 'amount'> & { makeDefault?: boolean })
  | { setup: true }
);

/** Pays the open invoice, or starts the authentication of a trial's card (`setup`). */
export const payOpenPayment = (request: PayRequest) =>
  post('/vc-admin/org/subscription/pay', subscription, request);

/** Returns the open invoice from an error that refuses an outdated invoice or amount, or null if the error has none. */
export const openInvoiceIn = (error: { quote: unknown }): OpenInvoice | null =>
  openInvoice(error.quote, 'quote');

const openInvoice = optional(
  object<OpenInvoice>({ invoiceId: text, amount: number, currency: text }),
  null,
);

/**
 * Discards a plan change that waits for its payment. If the payment arrived before the request, the change has taken
 * effect.
 */
export const cancelPendingChange = () =>
  post('/vc-admin/org/subscription/pending/cancel', subscription);

/** Lists the organisation's subscriptions with this status. Only their number is used, so they are not decoded. */
export const listSubscriptions = async (status: SubscriptionStatus) =>
  (await post('/vc-admin/org/subscription/list', subscriptions, { status })).data;

export const subscriptions = object({ data: list(ignored) });

/** Decodes a payment or an authentication. The specification does not name its id. */
export const intent = object<Intent>({
  id: optional(text, ''),
  status: text as Decoder<Intent['status']>,
  client_secret: optional(text, ''),
});

/**
 * Decodes the subscription after a payment. A back end that follows only the specification reports neither outcome nor
 * next action.
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
