import { get, getDocument, post } from './client';
import { subscriptionFrom } from './subscription';
import type {
  Billing,
  BillingDetails,
  BillingEdit,
  EndRequest,
  InvoicePage,
  PriceChoice,
  PriceQuote,
  When,
} from './types';

/** Returns the organisation's plan, next charge, credit and card, and the effect of ending the plan now. */
export const getBilling = () => get<Billing>('/vc-admin/org/billing');

/** A price, when it takes effect, and whether the trial is skipped. */
export type QuoteRequest = PriceChoice & { when?: When; no_trial?: boolean };

/** Returns the cost of a new subscription or a plan change, without changing anything. */
export const quotePrice = (request: QuoteRequest) =>
  post<PriceQuote>('/vc-admin/org/subscription/quote', request);

/** Drops the plan change that was scheduled for the renewal. */
export const cancelScheduledChange = async () =>
  subscriptionFrom(await post<unknown>('/vc-admin/org/subscription/scheduled/cancel'));

/** Ends the plan: at the end of what is paid for, or now when a bill is overdue. */
export const endPlan = async (why: EndRequest = {}) =>
  subscriptionFrom(await post<unknown>('/vc-admin/org/subscription/cancel', why));

/** Resumes a plan that was about to end. */
export const resumePlan = async () =>
  subscriptionFrom(await post<unknown>('/vc-admin/org/subscription/resume'));

/** Returns a page of the invoices, newest first. */
export const listInvoices = (page: { limit?: number; startingAfter?: string } = {}) =>
  post<InvoicePage>('/vc-admin/org/invoices/list', page);

/** Downloads an invoice as a PDF document. */
export const getInvoicePdf = (id: string) =>
  getDocument(`/vc-admin/org/invoices/${encodeURIComponent(id)}/pdf`);

/** Returns the details that are printed on the organisation's invoices. */
export const getBillingDetails = () => get<BillingDetails>('/vc-admin/org/billing/details');

/** Changes the given details for the next invoices and returns all of them. */
export const editBillingDetails = (changes: BillingEdit) =>
  post<BillingDetails>('/vc-admin/org/billing/edit', changes);
