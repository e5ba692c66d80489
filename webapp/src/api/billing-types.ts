import type { components } from './schema.gen';

type Schemas = components['schemas'];
type Interval = Schemas['Interval'];

/** An amount in minor units. */
export interface Money {
  amount: number;
  currency: string;
}

/** When a plan change is made: at once, or when the period or the trial ends. */
export type When = 'now' | 'renewal';

/** A line of an invoice or quote; negative for unused time. */
export interface InvoiceLine {
  description: string;
  amount: number;
  period: { start: string; end: string };
}

/** An automatic charge in the future. */
export interface NextCharge extends Money {
  at: string;
}

/** What a new subscription or a plan change costs, signed by the server until it expires. */
export interface PriceQuote {
  quote: string;
  expiresAt: string;
  dueNow: Money;
  lines: InvoiceLine[];
  tax: Money;
  creditBefore: Money;
  creditAfter: Money;
  next: NextCharge | null;
  endsTrial: boolean;
}

/** What the billing page shows. */
export interface Billing {
  subscription: BilledSubscription | null;
  next: NextCharge | null;
  credit: Money | null;
  card: Schemas['Card'] | null;
  /** What ending the plan would do now; null when nothing can be ended. */
  end: { kind: 'period_end' | 'now_void' | 'now_owed'; at: string | null } | null;
}

export interface BilledSubscription {
  status: Schemas['SubscriptionStatus'];
  priceId: string;
  interval: Interval;
  currency: string;
  amount: number;
  periodStart: string | null;
  periodEnd: string | null;
  trialEnd: string | null;
  /** When it ends because the customer ended it. */
  endsAt: string | null;
  /** When it ends unless the overdue bill is paid. */
  planEndsAt: string | null;
  /** Why it can't be changed: 'disputed' or 'refunded'; empty otherwise. */
  hold: string;
  pending: { priceId: string; amount: number; expiresAt: string | null; invoiceId: string } | null;
  scheduled: { priceId: string; amount: number; at: string } | null;
}

/** Why a customer ends the plan. */
export type EndReason = 'too_expensive' | 'missing_feature' | 'not_needed' | 'switching' | 'other';

export interface Invoice {
  id: string;
  number: string;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  createdAt: string;
  dueAt: string | null;
  paidAt: string | null;
  description: string;
  lines: InvoiceLine[];
  tax: Money;
  total: Money;
  amountDue: Money;
  amountPaid: Money;
  hasPdf: boolean;
}

export interface InvoicePage {
  data: Invoice[];
  hasMore: boolean;
}
