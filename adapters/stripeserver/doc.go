// Package stripeserver is a fake Stripe API for tests and local use. It speaks Stripe's wire format in
// the API version that adapters/stripepayment uses, over the state machine of adapters/fakepayment:
// fakepayment decides what happens to cards, payments, trials and renewals, and this package
// translates requests and responses. cmd/stripeserver runs it as a program.
//
//	provider, err := fakepayment.Open(…)
//	http.Handle("/", stripeserver.New(provider, stripeserver.Config{Catalogue: catalogue.Default()}))
//
// # What it imitates
//
// Customers with tax ids and balance, payment methods, subscriptions, schedules, invoices and their
// previews, charges, refunds, disputes, payment intents, setup intents, products and prices, at the endpoints listed
// at the top of each file. Every other path responds with 404 and every unknown parameter with 400.
//
//   - Parameters are form-encoded with nested names. Every response has a Request-Id and a
//     Stripe-Version; another version is refused. The publishable key works at the endpoints for
//     browsers, and for an intent only together with its client secret.
//   - An idempotency key replays the stored response, errors and 500s included, with
//     Idempotent-Replayed. With other parameters or at another endpoint it is an idempotency_error,
//     and while the first request runs a 409. DELETE ignores it. A request that fails validation
//     leaves it unused; one that is refused because the customer has no payment method does not.
//     Stored responses, and only those, have Stripe-Should-Retry: false.
//   - Fields are ids unless they are expanded, at most four levels deep. An invoice's
//     confirmation_secret and payments, a price's currency_options and a customer's subscriptions
//     are absent unless expanded. An invoice has no payment_intent.
//   - Lists have pages of 10, or up to 100 with limit.
//   - A declined card is a 402 card_error when it is attached, charged for an invoice or confirmed
//     for an intent, and not an error when a subscription starts or changes.
//   - A change of price is a pending update until its invoice is paid.
//   - A payment by au_becs_debit is processing for three days, its charge pending and its subscription active. It fails then,
//     or is returned by a dispute that is lost at once, as the account number says; see adapters/fakepayment, whose provider needs
//     Config.DebitsLikeStripe for it.
//   - A schedule is created from a subscription alone, owns it until its last phase ends, and meanwhile
//     its end can't be set or cleared. It has at most a current and a next phase.
//   - The link to an invoice's document redirects to the file, and neither needs an API key.
//   - Cancelling a subscription leaves a later invoice open; cancelling it again is a 404.
//
// # What exists only here
//
//   - POST /local/authentications/{client_secret} with outcome=complete or fail stands for the bank's
//     authentication page. It needs no API key.
//   - POST /local/disputes with the number of an invoice and action=open, won or lost disputes its payment or ends
//     the dispute, as the cardholder's bank does. It needs no API key.
//   - POST /local/faults, or [Server.InjectFault], makes one request fail: 429, 409, 500, a broken
//     connection or no response, before or after its effect.
//   - The account numbers of au_becs_debit are the test numbers of adapters/fakepayment.
//   - The error code local_stripe_unsupported reports what Stripe supports and this server does not,
//     such as several items in a subscription, cards pinned to a subscription, other proration
//     behaviour or weekly prices.
//
// # What it does not imitate
//
// The authors of the adapter wrote it from Stripe's documentation. A misunderstanding of Stripe can
// be in both, and then no test with this server finds it; only Stripe's test mode does. What public
// recordings of the test mode show is required in recordings_test.go; docs/stripe.md lists it. In particular:
//
//   - Parameters are checked by their first name only. stripe-mock checks types and nested names.
//   - Objects have the fields that the adapter or the web app reads.
//   - Messages are Stripe's where they are known; param and doc_url are approximate.
//   - A customer keeps its first currency permanently. Stripe releases it when nothing uses it any more.
//   - Renewals have no draft of an hour, a failed charge is not listed, and events arrive in order.
//   - There are no rate limits, locks or delays except injected ones.
//   - Products, prices, tax rates, schedules, metadata, idempotency keys and customer details are kept in memory only. The
//     provider's state survives a restart if it is stored.
package stripeserver
