// Package billing contains the billing state of an organisation and the rules about it: which purchase or
// plan change is allowed, which requests to the payment provider it needs, and what the customer has
// to do next. It performs no I/O, and rules that depend on the time have it as an argument.
//
// An [Account] is a copy of what the payment provider reports. [DecidePurchase] and [DecideChange] turn
// a customer's request into [Action] values, which the application stores with an [Operation] before
// it sends them. [Account.RecordSubscriptions] stores the subscriptions that the provider reports afterwards, and
// [DecideOutcome] returns the result of the payment for the front end.
//
// A subscription has these statuses:
//
//	(subscribe) ──► incomplete ──► active ◄──► past_due ──► unpaid / canceled
//	     │              └────────► incomplete_expired
//	     └────────► trialing ──► active / past_due
//
// trialing, active and past_due are live: the subscription is the organisation's license. canceled,
// unpaid and incomplete_expired have ended: the subscription is a past license. incomplete is neither: the first
// payment is still open, and a later purchase of the same price continues it.
package billing
