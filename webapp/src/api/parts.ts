import {
  currencyCode,
  type Decoder,
  flag,
  id,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  time,
  timeZone,
} from './decode';
import type {
  Card,
  Charge,
  DueInvoice,
  Interval,
  Money,
  NextAction,
  OpenPayment,
  Order,
  PaidMethod,
  Pause,
  PlanInterval,
  ProcessingPayment,
  Role,
  ScheduledChange,
} from './types';

// Decoders of parts that several responses contain.

export const role = oneOf<Role>('owner', 'billing', 'member');

export const money = object<Money>({ amount: number, currency: currencyCode });

const chargeFields = { amount: number, currency: currencyCode, at: time };

export const charge = object<Charge>({ ...chargeFields, dueAt: optional(time) });

/** The amounts that determine the amount due of an invoice. */
const invoiceAmountFields = {
  total: optional(nullable(number), null),
  creditUsed: optional(number),
  amountPaid: optional(number),
};

export const dueInvoice = object<DueInvoice>({
  ...chargeFields,
  ...invoiceAmountFields,
  timeZone: optional(timeZone),
});

export const hold = oneOf('disputed');

export const interval: Decoder<Interval> = oneOf<Interval>('monthly', 'yearly');

/** Decodes the interval of a customer's plan; empty for an interval that the catalogue does not have. */
export const planInterval = text as Decoder<PlanInterval>;

export const scheduledChange = object<ScheduledChange>({
  priceId: text,
  product: text,
  interval: planInterval,
  currency: currencyCode,
  amount: optional(number, null),
  at: time,
});

export const pause = object<Pause>({ until: nullable(time) });

export const openPayment = object<OpenPayment>({
  kind: oneOf('first_payment', 'overdue', 'plan_change', 'authentication', 'owed'),
  subscriptionId: text,
  invoiceId: text,
  amount: number,
  ...invoiceAmountFields,
  timeZone: optional(timeZone),
  currency: currencyCode,
  since: nullable(time),
  nextAttemptAt: nullable(time),
  expiresAt: nullable(time),
  priceId: text,
  approval: optional(flag),
  reason: text,
  failedMethodId: optional(text),
  failedAt: optional(time),
  returned: optional(flag),
});

export const order = object<Order>({
  priceId: text,
  since: nullable(time),
  until: nullable(time),
  reason: text,
  amount: optional(money),
  dueDays: optional(number),
});

export const nextAction = object<NextAction>({
  kind: oneOf('confirm_payment', 'confirm_setup', 'redirect', 'new_payment_method', 'wait'),
  secret: optional(text),
  url: optional(text),
  instructions: list(object({ label: text, value: text, amount: optional(money) })),
  invoice: text,
  until: nullable(time),
  reason: text,
  reportedAt: optional(time),
  remindersPausedUntil: optional(time),
});

/** The fields of a payment method. A card without a brand has a general icon. */
const methodFields = {
  kind: optional(oneOf('bank_debit', 'other')),
  label: optional(text),
  card: object({ brand: optional(text, ''), last4: text, exp_month: number, exp_year: number }),
};

/** Decodes a saved card. */
export const card = object<Card>({ id, ...methodFields });

export const paidMethod = object<PaidMethod>(methodFields);

export const processingPayment = object<ProcessingPayment>({
  kind: oneOf('first_payment', 'overdue', 'plan_change', 'owed', 'renewal'),
  invoiceId: text,
  amount: number,
  currency: currencyCode,
  priceId: text,
  method: optional(nullable(paidMethod), null),
  expectedBy: optional(nullable(time), null),
});
