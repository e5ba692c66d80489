import { gate, post } from './client';
import type { PriceChoice, Subscription, SubscriptionStatus } from './types';

/** What a new subscription takes; without a card the default one pays. */
export interface SubscribeRequest extends PriceChoice {
  customerId?: string;
  paymentMethodId?: string;
  no_trial?: boolean;
}

/** Starts the organisation's subscription, or pays for the one that is still incomplete. */
export const subscribe = (request: SubscribeRequest, debug: boolean) =>
  post<Subscription>('/vc-admin/user-diy/subscribe', request, gate(debug));

/** Moves the subscription to another price; a running trial ends. */
export const changePlan = (choice: PriceChoice, debug: boolean) =>
  post<Subscription>('/vc-admin/org/subscription/update', choice, gate(debug));

/** The organisation's subscriptions in one status, newest first. */
export const listSubscriptions = async (status: SubscriptionStatus) =>
  (await post<{ data: Subscription[] }>('/vc-admin/org/subscription/list', { status })).data;
