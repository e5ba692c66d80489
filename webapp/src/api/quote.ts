import { post } from './client';
import { flag, list, nullable, number, object, optional, text, time } from './decode';
import { charge, money } from './parts';
import type { ChangeTiming, InvoiceLine, PriceChoice, PriceQuote } from './types';

/** The parameters of a quote: a price, when it takes effect, and whether the trial is skipped. */
export type QuoteRequest = PriceChoice & { when?: ChangeTiming; no_trial?: boolean };

/** Returns the cost of a new subscription or a plan change, without changing anything. */
export const quotePrice = (request: QuoteRequest) =>
  post('/vc-admin/org/subscription/quote', priceQuote, request);

/** Returns the new quote from an error that refuses an outdated quote, or null if the error has none. */
export const priceQuoteIn = (error: { quote: unknown }): PriceQuote | null =>
  optional(priceQuote, null)(error.quote, 'quote');

export const invoiceLine = object<InvoiceLine>({
  description: text,
  amount: number,
  period: object({ start: nullable(time), end: nullable(time) }),
});

export const priceQuote = object<PriceQuote>({
  quote: text,
  expiresAt: time,
  dueNow: money,
  lines: list(invoiceLine),
  tax: money,
  creditBefore: money,
  creditAfter: money,
  next: nullable(charge),
  afterCredit: optional(charge),
  afterNext: optional(charge),
  endsTrial: flag,
  dueAt: optional(time),
  approvalDueDays: optional(number),
});
