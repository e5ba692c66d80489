// Package fakepayment implements ports/payment without a third party, for development and tests.
//
// It behaves like Stripe in test mode: customers, cards, subscriptions with trials, plan changes with proration,
// invoices, retries of failed renewals, and signed events. It uses the application's clock. When a test moves the
// clock, trials end and renewals are charged. Package domain/engine computes what is due; this package stores it,
// charges cards and emits events. State is held in memory and, if Config.Path is set, written to a SQLite file before a
// call returns.
//
//	provider, err := fakepayment.Open(fakepayment.Config{Path: …, Clock: clock, Prices: catalogue})
//	provider.SetSink(sink)                    // before Start: the endpoint for the provider's events
//	clock.Observe(func(time.Time) { … provider.Tick(ctx) … })
//	mux.Handle("/dev/payments/", http.StripPrefix("/dev/payments", provider.BrowserAPI()))
//	provider.Start(ctx) … provider.Stop(ctx)
//
// Every call first processes what is due at the clock's time. A background task does the same each
// second, and Tick does it immediately. Drain waits until all events are delivered.
//
// docs/fake-payments.md lists the test cards and bank accounts, and the API that BrowserAPI serves.
//
// # States of a subscription
//
//	subscribe, no trial ─► incomplete ─ paid ─────────────► active ─► (each period) invoice
//	                          └ 23 h, or canceled ─► incomplete_expired    │ paid: active
//	subscribe, trial ────► trialing ─ trial ends: invoice ─────────────────┤
//	                                                                       └ not paid: past_due
//	past_due ─ retried after 3, 5 and 7 more days ─► active, or canceled (or unpaid, as configured)
//	active ─ its payment is returned ─► past_due, not retried ─ 15 days ─► canceled (or unpaid)
//	active or trialing, ending ─ the period or trial ends ─► canceled, nothing is charged
//
// A plan change is made immediately, is pending until its invoice is paid, or is scheduled for the end of
// the period or trial. Quotes are computed by the code that makes the invoices. An amount below Stripe's
// minimum charge for the currency is carried over to the next invoice. Invoices have a number, lines, the
// tax that the prices include, and a PDF document. A refund or dispute (Refund, Dispute,
// CloseDispute) also withdraws the credit that the payment gave. A dispute puts the customer on hold until LiftHold.
//
// The first invoice of a trial has a total of zero and no payment. A card that needs authentication appears
// as PendingSetup during a trial, and as a payment with status requires_action otherwise. A failed
// payment has the status requires_payment_method and can be retried with another card.
//
// # API for a server
//
// Package stripeserver serves the same state in the wire format of Stripe's API. It reads the state with Read and
// changes it with the methods in provider_api.go.
//
// # Events
//
// Events have Stripe's format and signature scheme; see ParseEvents. They are delivered one at a
// time in the order in which they happened. A delivery is repeated until the sink accepts the event, even
// after a restart.
package fakepayment
