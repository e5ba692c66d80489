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
export type PlanInterval = Schemas['PlanInterval'];
/** The license with the fields that the app uses. */
export type License = Omit<Schemas['License'], 'pending_change'> & {
  pending_change?: Pick<Schemas['PendingChange'], 'replaces'> | null;
};
export type UserDetail = Omit<Schemas['UserDetail'], 'now' | 'license' | 'pastLicense'> & {
  now?: number;
  license: License | null;
  pastLicense: License | null;
  /** The names of the organisation's owners, in the order in which they joined. */
  owners?: string[] | undefined;
};
/** An organisation of which the user is a member. */
export type UserOrganisation = NonNullable<Schemas['UserDetail']['organisations']>[number];
/** What a user may do in an organisation. */
export type Role = Schemas['Role'];
/** The organisation with the fields that the app uses. */
export type Organisation = Pick<
  Schemas['Organisation'],
  'name' | 'stripeCustomerId' | 'metadata' | 'timeZone'
>;
export type Registration = Schemas['Registration'];
export type RegistrationSummary = Schemas['RegistrationSummary'];
export type BillingEmailConfirmation = Schemas['BillingEmailConfirmation'];
export type EmailChange = Schemas['EmailChange'];
export type UserAccount = Schemas['UserAccount'];
export type UserSession = Schemas['UserSession'];
/** The details that users change about themselves without a confirmation. */
export type Profile = Pick<UserAccount, 'firstName' | 'lastName' | 'phone'>;
export type EmailPreferences = Schemas['EmailPreferences'];
export type Customer = Schemas['Customer'];
/** A saved payment method: a card, or another method such as a bank account, which has a `label`. */
export type Card = Schemas['Card'];
export type PriceChoice = Schemas['PriceChoice'];
/** The response to a payment with the fields that the app uses. */
export type Subscription = Pick<
  Schemas['Subscription'],
  'id' | 'status' | 'latest_invoice' | 'outcome' | 'next' | 'charged_differs'
>;
export type SubscriptionStatus = Schemas['SubscriptionStatus'];
/** The step that a subscription needs from the customer next. */
export type NextAction = Schemas['NextAction'];
export type Intent = Schemas['Intent'];
/** A payment or authentication that the customer has to complete. */
export type OpenPayment = Schemas['OpenPayment'];
/** A payment that is processing, such as a bank debit. */
export type ProcessingPayment = NonNullable<Schemas['ProcessingPayment']>;
/** A purchase that waits for the approval of an operator. */
export type Order = NonNullable<Schemas['Order']>;
/** The outcome of charging an overdue invoice to a card that was added or made the default. */
export type OverduePayment = NonNullable<Schemas['OverduePayment']>;
/** The open invoice and amount, from the error (ERRQUOTE) about a request with outdated ones. */
export type OpenInvoice = Schemas['OpenInvoice'];
export type Invoice = Schemas['Invoice'];
/** The addressee of an invoice when it was issued. */
export type Buyer = Schemas['Buyer'];
/** The issuer of an invoice, as its document names it. */
export type Seller = Schemas['Seller'];
/** Money that was received for an invoice. */
export type ReceivedPayment = Schemas['ReceivedPayment'];
/** A change of the amount that is still to be paid for an invoice. */
export type Movement = Schemas['Movement'];
/** The payment method of a payment, as it was at the time. */
export type PaidMethod = NonNullable<Schemas['PaidMethod']>;
export interface InvoicePage {
  data: Invoice[];
  hasMore: boolean;
}
/** The details that are printed on invoices. */
export type BillingDetails = Schemas['BillingDetails'];
export type BillingEdit = Schemas['BillingEdit'];
/** A future charge. */
export type Charge = Schemas['Charge'];
/** An invoice to be paid by bank transfer, with its due date. */
export type DueInvoice = Schemas['DueInvoice'];
export type Pause = Schemas['Pause'];
export type ScheduledChange = Schemas['ScheduledChange'];
/** An amount in minor units. */
export type Money = Schemas['Money'];
/** The time at which a plan change takes effect: immediately ('now'), or when the period or the trial ends ('renewal'). */
export type ChangeTiming = Schemas['When'];
/** A line of an invoice or quote; negative for unused time. */
export type InvoiceLine = Schemas['Line'];
/** The cost of a new subscription or a plan change, signed by the server and valid until it expires. */
export type PriceQuote = Schemas['PriceQuote'];
export type ChargedDiffers = NonNullable<Schemas['Subscription']['charged_differs']>;
/** The data of the dashboard. */
export type Billing = Schemas['BillingSummary'];
export type BilledSubscription = NonNullable<Billing['subscription']>;
/** The reason and comment with which a customer ends the plan. */
export type EndRequest = NonNullable<
  operations['endSubscription']['requestBody']
>['content']['application/json'];
export type EndReason = NonNullable<EndRequest['reason']>;
/** The body of an error response. */
export type Failure = Schemas['Failure'];
