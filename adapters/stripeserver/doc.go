// Package stripeserver lets the embedded provider be asked as Stripe is: over HTTP, in Stripe's wire
// format, in the API version that adapters/stripepayment speaks. There is one machine with two
// faces. What becomes of cards, payments, trials and renewals is decided in fakepayment, which
// passes the payment suite by itself; here it is only said in Stripe's words.
//
//	provider, err := fakepayment.Open(…)
//	http.Handler(stripeserver.New(provider, stripeserver.Config{Catalogue: catalogue.Default()}))
//
// # What is here
//
// Customers, payment methods, subscriptions, invoices, payment and setup intents, products and
// prices, as far as the table in each file says; every other path is 404, and every parameter that
// an endpoint does not know is 400, so that a misspelt one is noticed.
//
//   - Parameters are form-encoded with nested names. Every answer has a Request-Id and the
//     Stripe-Version; a request for another version is refused. A publishable key is good for what
//     a browser does, and for an intent only together with its client secret.
//   - An idempotency key repeats its answer, a refusal or a 500 included, with Idempotent-Replayed.
//     With other parameters or at another endpoint it is an idempotency_error, while the first
//     request is still under way a 409. DELETE heeds no key.
//   - Fields are ids until they are expanded, at most four levels deep. confirmation_secret and
//     payments of an invoice, currency_options of a price and subscriptions of a customer are not
//     there at all before. An invoice has no payment_intent, and a trial's first one no payments.
//   - Lists have pages, 10 long unless asked otherwise and 100 at most.
//   - A declined card is 402 card_error when it is attached, when an invoice is paid with it and
//     when an intent is confirmed with it, and no error when a subscription begins or changes.
//   - Canceling a subscription leaves a later bill open; canceling it again finds nothing.
//
// # What only this Stripe has
//
//   - POST /local/authentications/{client_secret} with outcome=complete or fail is what the bank
//     and the card's holder do. It wants no key.
//   - POST /local/faults, or Fail, has one request struck: 429, 409, 500, a broken connection or no
//     answer, before the effect or after it.
//   - An error with the code local_stripe_unsupported is for what Stripe could do and the machine
//     can't: several items in a subscription, cards pinned to one, other kinds of proration,
//     prices by the week, and so on. It never pretends.
//
// # What it does not prove
//
// It was written from Stripe's documents and from what others observed, by those who wrote the
// adapter: where both misunderstand Stripe in the same way, the suite passes all the same. Only
// Stripe's own test mode proves otherwise. In particular
//
//   - parameters are checked by their first name, not by type or in depth; stripe-mock does that;
//   - objects have the fields that somebody reads, not all that Stripe has;
//   - the wording of messages is Stripe's where it was known, and param and doc_url are approximate;
//   - a customer keeps its first currency for ever, where Stripe lets go of it in the end;
//   - proration has no credit lines, renewals no drafts of an hour, and events come in order;
//   - there are no rate limits, no locks and no delays but those that are asked for;
//   - products, prices, metadata, keys and what people are called are kept in memory only, while
//     the machine's own state survives a restart when it has a journal.
package stripeserver
