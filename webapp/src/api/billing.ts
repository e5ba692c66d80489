import { get, post } from './client';
import {
  currencyCode,
  type Decoder,
  flag,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  time,
} from './decode';
import { card, charge, dueInvoice, hold, money, pause, planInterval } from './parts';
import { subscription } from './subscription';
import type { BilledSubscription, Billing, EndRequest, SubscriptionStatus } from './types';

/** Returns the organisation's plan, next charge, credit and card, and the effect of ending the plan now. */
export const getBilling = () => get('/vc-admin/org/billing', billing);

/** Cancels the plan change that is scheduled for the renewal. */
export const cancelScheduledChange = () =>
  post('/vc-admin/org/subscription/scheduled/cancel', subscription);

/** Ends the plan at the end of the paid period, or now if an invoice is overdue. */
export const endPlan = (request: EndRequest = {}) =>
  post('/vc-admin/org/subscription/cancel', subscription, request);

/** Keeps a plan that is about to end. */
export const resumePlan = () => post('/vc-admin/org/subscription/resume', subscription);

type PendingChange = NonNullable<BilledSubscription['pending']>;
type ScheduledChange = NonNullable<BilledSubscription['scheduled']>;

const billedSubscription = object<BilledSubscription>({
  status: text as Decoder<SubscriptionStatus>,
  priceId: text,
  interval: planInterval,
  currency: currencyCode,
  amount: nullable(number),
  periodStart: nullable(time),
  periodEnd: nullable(time),
  trialEnd: nullable(time),
  endsAt: nullable(time),
  planEndsAt: nullable(time),
  hold: optional(hold, null),
  pause: optional(pause),
  managed: optional(flag),
  pending: nullable(
    object<PendingChange>({
      priceId: text,
      amount: number,
      expiresAt: nullable(time),
      invoiceId: text,
    }),
  ),
  scheduled: nullable(
    object<ScheduledChange>({ priceId: text, amount: nullable(number), at: time }),
  ),
});

export const billing = object<Billing>({
  subscription: nullable(billedSubscription),
  next: nullable(charge),
  afterCredit: optional(charge),
  invoiced: optional(dueInvoice, null),
  credit: nullable(money),
  card: nullable(card),
  end: nullable(
    object<NonNullable<Billing['end']>>({
      kind: oneOf('period_end', 'now_void', 'now_owed'),
      at: nullable(time),
    }),
  ),
});
