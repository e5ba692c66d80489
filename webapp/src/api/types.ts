import type { components, operations } from './schema.gen';

/** The types of requests and responses, generated from adapters/httpapi/openapi.yaml. */
type Schemas = components['schemas'];

export type Config = Schemas['Config'];
export type Capability = Schemas['Capability'];
export type Catalogue = Schemas['Catalogue'];
export type Plan = Schemas['Plan'];
export type ComparisonRow = Schemas['ComparisonRow'];
export type Currency = Schemas['Currency'];
export type Branding = Schemas['Branding'];
export type Link = Schemas['Link'];
export type Interval = Schemas['Interval'];
export type License = Schemas['License'];
export type UserDetail = Schemas['UserDetail'];
export type Organisation = Schemas['Organisation'];
export type Registration = Schemas['Registration'];
export type Registered = Schemas['Registered'];
export type ShownRegistration = Schemas['ShownRegistration'];
export type Customer = Schemas['Customer'];
export type Card = Schemas['Card'];
export type PriceChoice = Schemas['PriceChoice'];
export type Subscription = Schemas['Subscription'];
export type SubscriptionStatus = Schemas['SubscriptionStatus'];
/** What the customer has to do next about a subscription. */
export type NextAction = Schemas['NextAction'];
export type Intent = Schemas['Intent'];
/** A payment or authentication that the customer has to complete. */
export type OpenPayment = Schemas['OpenPayment'];
/** The outcome of an overdue bill that was charged to a card just added or made the default. */
export type BillPayment = NonNullable<Schemas['BillPayment']>;
/** Part of the response of a call that changes the default card; null when no bill was charged. */
export interface WithBillPayment {
  payment?: Schemas['BillPayment'];
}
/** The current open payment, when the request named another invoice or amount (ERRQUOTE). */
export type Quote = Schemas['Quote'];
export type Invoice = Schemas['Invoice'];
export interface InvoicePage {
  data: Invoice[];
  hasMore: boolean;
}
/** The details that are printed on invoices. */
export type BillingDetails = Schemas['BillingDetails'];
export type BillingEdit = Schemas['BillingEdit'];
/** An amount in minor units. */
export type Money = Schemas['Money'];
/** When a plan change takes effect: at once, or when the period or the trial ends. */
export type When = Schemas['When'];
/** A line of an invoice or quote; negative for unused time. */
export type InvoiceLine = Schemas['Line'];
/** The cost of a new subscription or a plan change, signed by the server and valid until it expires. */
export type PriceQuote = Schemas['PriceQuote'];
export type ChargedDiffers = NonNullable<Schemas['Subscription']['charged_differs']>;
/** The data of the billing page. */
export type Billing = Schemas['BillingSummary'];
export type BilledSubscription = NonNullable<Billing['subscription']>;
/** The reason and comment with which a customer ends the plan. */
export type EndRequest = NonNullable<
  operations['endSubscription']['requestBody']
>['content']['application/json'];
export type EndReason = NonNullable<EndRequest['reason']>;
/** The body of an error response. */
export type Failure = Schemas['Failure'];
