// Package fakepayment is the payment provider that comes with the product: a whole one, kept in
// memory under one lock, with a journal on disk, so that what it answered survives a restart and
// a kill. It behaves as Stripe does in its test mode and moves with the application's clock:
// trials end, invoices come due, declined renewals are retried, and signed events tell of it.
//
// # Life of a subscription
//
//	subscribe, no trial ─► incomplete ─ paid ─────────────► active ─► (each period) invoice
//	                          └ 23 h, or canceled ─► incomplete_expired    │ paid: active
//	subscribe, trial ────► trialing ─ trial ends: invoice ─────────────────┤
//	                                                                       └ not paid: past_due
//	past_due ─ retried after 3, 5 and 7 more days ─► active, or canceled (or unpaid, as configured)
//
// A trial's first invoice is of nothing and has no payment. A card that wants authentication
// shows as PendingSetup then, and as a payment that requires_action otherwise. A payment that did
// not go through requires_payment_method and can be tried again with another card.
//
// # Test cards
//
// Any expiry in the future and any security code of the right length will do. Only the brand, the
// last four digits, the expiry, a fingerprint (equal for equal numbers) and the behaviour are kept,
// never the number or the code.
//
//	4242 4242 4242 4242   pays (so do 5555 5555 5555 4444 and 3782 822463 10005)
//	4000 0025 0000 3155   asks for authentication, once: afterwards it pays
//	4000 0000 0000 0002   declined when saved: Your card was declined.
//	4000 0000 0000 0069   declined when saved: Your card has expired.
//	4000 0000 0000 0341   saves, and every charge is declined: Your card was declined.
//	4000 0000 0000 9995   saves, and every charge is declined: Your card has insufficient funds.
//	4000 0000 0000 9987   saves, and every charge is declined for good (lost): Your card was declined.
//	4000 0000 0000 9979   saves, and every charge is declined for good (stolen): Your card was declined.
//
// Any other number is declined in the browser already: this provider wants no real cards.
//
// # Browser face
//
// Browser returns the handler for what Stripe's script does in a real browser. The wiring mounts
// it at /dev/payments, in development and with this provider only. Bodies are strict JSON of at
// most 64 KiB with Content-Type application/json; numbers are integers; amounts are minor units.
//
// POST /payment_methods makes a payment method of a card:
//
//	{"card": {"number": "4242 4242 4242 4242", "exp_month": 12, "exp_year": 2034, "cvc": "123"},
//	 "billing_details": {…}}
//
// Spaces in the number do not matter, the year may have two digits, and billing_details may be
// left out: nothing of it is kept. The answer is 200
//
//	{"id": "pm_…", "object": "payment_method", "type": "card",
//	 "card": {"brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2034}}
//
// or 402 with the first thing that is wrong, in the order of the fields:
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
// The last one has "decline_code": "test_mode_live_card". Brands are visa, mastercard and amex; amex
// has 15 digits and a security code of 4. The past is counted on the application's clock.
//
// GET /intents/{client_secret} tells what is asked of the card's holder:
//
//	{"id": "pi_…", "object": "payment_intent", "kind": "payment", "status": "requires_action",
//	 "client_secret": "pi_…_secret_…", "amount": 81600, "currency": "AUD",
//	 "card": {"brand": "visa", "last4": "3155", "exp_month": 12, "exp_year": 2034},
//	 "last_payment_error": {"type": "card_error", "code": "…", "decline_code": "…", "message": "…"}}
//
// The authentication of a card has "object": "setup_intent", "kind": "setup", no amount and no
// currency, and "last_setup_error" instead. card and the error are left out when there is none.
// The statuses are requires_payment_method, requires_action, succeeded and canceled.
//
// POST /intents/{client_secret}/confirm answers with the same object, as it then is:
//
//	body                         status of the intent     what happens
//	{"outcome": "complete"}      requires_action          succeeded: the holder has authenticated
//	{"outcome": "fail"}          requires_action          requires_payment_method, and an error with the code
//	                                                      payment_intent_authentication_failure (or setup_intent_…)
//	{} or {"payment_method": …}  requires_payment_method  tried with that card, or the customer's default card:
//	                                                      succeeded, requires_action, or 402
//	{"payment_method": …}        requires_action          the same, with the other card
//	{}                           requires_action          nothing: it still requires_action
//	anything                     succeeded                nothing: it stays succeeded
//
// Whatever else, such as an outcome when nothing is to be authenticated or a canceled intent, is
// 400 with the code payment_intent_unexpected_state (or setup_intent_…). A declined card is
//
//	402 {"error": {"type": "card_error", "code": "card_declined", "decline_code": "generic_decline",
//	     "message": "Your card was declined.", "payment_intent": {…the object, as it then is}}}
//
// with the decline_code insufficient_funds, or the code expired_card, for those cards. A confirm
// without any card at hand is 402 with the code payment_intent_unexpected_state and the message
// "You must provide a payment method." A payment_method that a payment succeeds with is saved to the customer.
//
// Everything else that can go wrong is {"error": {"type", "code", "message"}} too: 400
// (invalid_request_error, parameter_invalid) for a body that is not as described, 404
// (resource_missing) for an unknown path, secret or payment method or one of another customer, 405
// (method_not_allowed), 413 (request_too_large), 415 (content_type) and 503 (api_error,
// unavailable) when the provider can't write its journal or has been stopped.
//
// Package stripeserver has the same machine answer in the wire format of Stripe's own API, for which
// Read and what is in till.go are there.
//
// # Wiring
//
//	provider, err := fakepayment.Open(fakepayment.Config{Path: …, Clock: clock, Prices: catalogue})
//	provider.DeliverTo(sink)                  // before Start: the endpoint for the provider's events
//	clock.Observe(func(time.Time) { … provider.Tick(ctx) … })
//	mux.Handle("/dev/payments/", http.StripPrefix("/dev/payments", provider.Browser()))
//	provider.Start(ctx) … provider.Stop(ctx)
//
// Tick makes a moved clock felt before the move is answered; without it the provider follows
// within a second, and every call catches up by itself. Drain waits for the events in tests.
//
// # Events
//
// Events have the shape of Stripe's and are signed the way Stripe signs; see ParseEvent. They are
// delivered one after the other, in the order in which things happened, each again and again
// until the sink accepts it, and those not accepted yet survive a restart.
package fakepayment
