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
//	mux.Handle("/dev/payments/", http.StripPrefix("/dev/payments", provider.Browser()))
//	provider.Start(ctx) … provider.Stop(ctx)
//
// Every call first processes what is due at the clock's time. A background task does the same each
// second, and Tick does it immediately. Drain waits until all events are delivered.
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
// tax that the prices include, and a PDF document. Refunds and disputes (Refund, Dispute, CloseDispute) are withdrawn
// from the customer's credit. A dispute puts the customer on hold until LiftHold.
//
// The first invoice of a trial is zero and has no payment. A card that needs authentication appears
// as PendingSetup during a trial, and as a payment with status requires_action otherwise. A failed
// payment has the status requires_payment_method and can be retried with another card.
//
// # Test cards
//
// Any future expiry and any security code of the right length are accepted. The brand, the last
// four digits, the expiry, a fingerprint (equal for equal numbers) and the behaviour are stored;
// the number and the code are not.
//
//	4242 4242 4242 4242   succeeds (also 5555 5555 5555 4444 and 3782 822463 10005)
//	4000 0025 0000 3155   requires authentication once, then succeeds
//	4000 0000 0000 0002   declined when saved: Your card was declined.
//	4000 0000 0000 0069   declined when saved: Your card has expired.
//	4000 0000 0000 0341   saves, and every charge is declined: Your card was declined.
//	4000 0000 0000 1000   saves, and pays once; every later charge is declined: Your card was declined.
//	4000 0000 0000 9995   saves, and every charge is declined: Your card has insufficient funds.
//	4000 0000 0000 9987   saves, and every charge gets a hard decline (lost): Your card was declined.
//	4000 0000 0000 9979   saves, and every charge gets a hard decline (stolen): Your card was declined.
//
// Bank accounts are entered in the same field, with any expiry and code. Their payments take three days. During this
// time the intent is processing. The last four digits are stored.
//
//	6000 0000 0005 6819   the payment arrives after three days
//	6000 0000 0005 9110   the payment fails after three days: Your bank account has insufficient funds.
//	6000 0000 0009 4406   the payment arrives after three days and is returned after ten: Your bank has returned the payment.
//
// Any other number is declined by POST /payment_methods, so that real cards are never stored.
//
// # Browser API
//
// Browser returns the handler for the requests that Stripe.js sends in a real browser. cmd/diycmd
// mounts it at /dev/payments in development. Bodies are strict JSON of at most 64 KiB with
// Content-Type application/json; numbers are integers; amounts are minor units.
//
// POST /payment_methods creates a payment method from a card:
//
//	{"card": {"number": "4242 4242 4242 4242", "exp_month": 12, "exp_year": 2034, "cvc": "123"},
//	 "billing_details": {…}}
//
// Spaces in the number are ignored, the year may have two digits, and billing_details is optional
// and not stored. The response is 200
//
//	{"id": "pm_…", "object": "payment_method", "type": "card",
//	 "card": {"brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2034}}
//
// or 402 with the first error, in the order of the fields:
//
//	{"error": {"type": "card_error", "code": "…", "message": "…", "param": "…"}}
//
//	code                    param      message
//	incomplete_number       number     Your card number is incomplete.
//	invalid_number          number     Your card number is invalid.
//	incomplete_expiry       exp_month  Your card's expiration date is incomplete.
//	invalid_expiry_month    exp_month  Your card's expiration month is invalid.
//	invalid_expiry_past     exp_year   Your card's expiration date is in the past.
//	invalid_expiry_year     exp_year   Your card's expiration year is invalid.
//	incomplete_cvc          cvc        Your card's security code is incomplete.
//	invalid_cvc             cvc        Your card's security code is invalid.
//	card_declined           number     Your card was declined. Your request was in test mode, but used a non test card.
//
// The error card_declined has "decline_code": "test_mode_live_card". Brands are visa, mastercard and amex; amex has 15
// digits and a security code of 4. Expiry is checked against the application's clock.
//
// GET /intents/{client_secret} returns a payment or the authentication of a card:
//
//	{"id": "pi_…", "object": "payment_intent", "kind": "payment", "status": "requires_action",
//	 "client_secret": "pi_…_secret_…", "amount": 81600, "currency": "AUD",
//	 "card": {"brand": "visa", "last4": "3155", "exp_month": 12, "exp_year": 2034},
//	 "last_payment_error": {"type": "card_error", "code": "…", "decline_code": "…", "message": "…"}}
//
// The authentication of a card has "object": "setup_intent", "kind": "setup", no amount and no
// currency, and "last_setup_error" instead. card and the error are omitted when there is none.
// The statuses are requires_payment_method, requires_action, processing, succeeded and canceled.
//
// POST /intents/{client_secret}/confirm returns the updated object:
//
//	body                         status of the intent     effect
//	{"outcome": "complete"}      requires_action          succeeded: the cardholder was authenticated
//	{"outcome": "fail"}          requires_action          requires_payment_method, and an error with the code
//	                                                      payment_intent_authentication_failure (or setup_intent_…)
//	{} or {"payment_method": …}  requires_payment_method  attempted with that card, or the customer's default card:
//	                                                      succeeded, requires_action, or 402
//	{"payment_method": …}        requires_action          the same, with the other card
//	{}                           requires_action          none: the status stays requires_action
//	any                          succeeded, processing    none: the status is unchanged
//
// Any other combination, such as an outcome without an authentication or a canceled intent, is 400
// with the code payment_intent_unexpected_state (or setup_intent_…). A declined card is
//
//	402 {"error": {"type": "card_error", "code": "card_declined", "decline_code": "generic_decline",
//	     "message": "Your card was declined.", "payment_intent": {…the updated object}}}
//
// The decline_code is insufficient_funds, lost_card or stolen_card for the test cards with these declines. Both codes
// are expired_card for an expired card. Without a card the response is 402 with the code payment_intent_unexpected_state
// and the message "You must provide a payment method." A payment_method whose payment succeeds is saved to the
// customer.
//
// Other errors are {"error": {"type", "code", "message"}} too: 400 (invalid_request_error, parameter_invalid) for a
// malformed body, 404 (resource_missing) for an unknown path or secret and for a payment method that is unknown or
// belongs to another customer, 405 (method_not_allowed), 413 (request_too_large), 415 (content_type) and 503
// (api_error, unavailable) when the state can't be written or the provider is stopped.
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
