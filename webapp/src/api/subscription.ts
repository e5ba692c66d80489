import { ApiError } from './api-error';
import { debugParam, post } from './client';
import type { OpenPayment, PriceChoice, Subscription, SubscriptionStatus, When } from './types';

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
export const subscribe = async (request: SubscribeRequest, debug: boolean) =>
  subscriptionFrom(await post<unknown>('/vc-admin/user-diy/subscribe', request, debugParam(debug)));

/** The new price, when it takes effect, and the quote that the customer has accepted. */
export interface ChangeRequest
  extends PriceChoice,
    Pick<SubscribeRequest, 'retryInvoiceId' | 'quote'> {
  /** When the change takes effect; 'now' by default. */
  when?: When;
}

/** Changes the price of the subscription. A change now ends a running trial. */
export const changePlan = async (change: ChangeRequest, debug: boolean) =>
  subscriptionFrom(
    await post<unknown>('/vc-admin/org/subscription/update', change, debugParam(debug)),
  );

/** The invoice to pay and the saved card to charge; without one the default card is charged. */
export type PayRequest = { paymentMethodId?: string } & (
  | (Pick<OpenPayment, 'invoiceId' | 'amount'> & { makeDefault?: boolean })
  | { setup: true }
);

/** Pays the open invoice, or starts the authentication of a trial's card (`setup`). */
export const payOpenPayment = async (request: PayRequest) =>
  subscriptionFrom(await post<unknown>('/vc-admin/org/subscription/pay', request));

/** Discards a plan change that waits for its payment. A change that was paid in the meantime has taken effect. */
export const cancelPendingChange = async () =>
  subscriptionFrom(await post<unknown>('/vc-admin/org/subscription/pending/cancel'));

/** Returns the organisation's subscriptions with a status, newest first. */
export const listSubscriptions = async (status: SubscriptionStatus) =>
  (await post<{ data: Subscription[] }>('/vc-admin/org/subscription/list', { status })).data;

/**
 * Returns the subscription in a successful response. A server may also respond 200 with an error
 * object, `{error: {message}}` or `{name, message}`: that is thrown as an ApiError with its message.
 * Any other body is thrown as an ApiError without a message, so that the caller's generic text shows.
 */
export function subscriptionFrom(response: unknown): Subscription {
  if (isRecord(response) && typeof response.status === 'string' && !('error' in response)) {
    return { latest_invoice: null, pending_setup_intent: null, ...response } as Subscription;
  }
  const body = isRecord(response) ? response : {};
  const error = isRecord(body.error) ? body.error : body;
  const message = [error.message, body.message, body.error].find(isText) ?? '';
  const name = [error.name, body.name].find(isText) ?? 'ERRUNKNOWN';
  throw new ApiError(name, message, { status: 200, hasServerMessage: message !== '' });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
