// Package stripeserver serves a fake Stripe API for tests and local use. It has Stripe's wire format in the API version that
// adapters/stripepayment uses. The provider of adapters/fakepayment decides what happens to cards, payments, trials and
// renewals; this package translates requests and responses. cmd/stripeserver runs it as a program.
//
//	provider, err := fakepayment.Open(…)
//	http.Handle("/", stripeserver.New(provider, stripeserver.Config{Catalogue: catalogue.Default()}))
//
// # Supported API
//
// The server imitates customers with tax ids and balance, payment methods, subscriptions, schedules, invoices and their
// previews, charges, refunds, disputes, payment intents, setup intents, products, prices and tax rates. The top of each file
// lists its endpoints. Every other path responds with 404 and every unknown parameter with 400.
//
//   - Parameters are form-encoded with nested names. Every response has a Request-Id and a Stripe-Version; a request with
//     another version is refused. The publishable key works at the endpoints for browsers, and for an intent only together
//     with its client secret.
//   - A request with an idempotency key that was used before gets the stored response, errors and 500s included, with
//     Idempotent-Replayed. With other parameters or at another endpoint the response is an idempotency_error, and while the
//     first request runs it is a 409. DELETE ignores the key. A request that fails validation leaves the key unused; a
//     request that is refused because the customer has no payment method uses it. Only stored responses have
//     Stripe-Should-Retry: false.
//   - Fields are ids unless they are expanded, at most four levels deep. An invoice's confirmation_secret and payments, a
//     price's currency_options and a customer's subscriptions are absent unless expanded. An invoice has no payment_intent.
//   - Lists have pages of 10, or up to 100 with limit.
//   - A declined card is a 402 card_error when it is attached, charged for an invoice or confirmed for an intent, and not
//     an error when a subscription starts or changes.
//   - A change of price is a pending update until its invoice is paid.
//   - A payment by au_becs_debit is processing for three days, with a pending charge and an active subscription. The
//     account number determines whether it succeeds, fails, or is returned later by a dispute that is lost immediately.
//     This requires Config.DebitsLikeStripe of the fake provider.
//   - A schedule is created from a subscription alone and owns it until its last phase ends; meanwhile the end of the
//     subscription can't be set or cleared. A schedule has at most a current and a next phase.
//   - The link to an invoice's document redirects to the file, and neither needs an API key.
//   - Canceling a subscription leaves a later invoice open; canceling it again is a 404.
//
// # Endpoints that Stripe does not have
//
// Requests to /local need no API key.
//
//   - POST /local/authentications/{client_secret} with outcome=complete or fail acts as the bank's authentication page.
//   - POST /local/disputes with the number of an invoice and action=open, won or lost disputes the payment or ends the
//     dispute, as the cardholder's bank does.
//   - POST /local/faults, or [Server.InjectFault], makes one request fail: a rate limit or a lock timeout (both 429), a
//     500, a broken connection or no response, before or after its effect.
//   - The account numbers of au_becs_debit are the test numbers of adapters/fakepayment.
//   - The error code local_stripe_unsupported reports parameters that Stripe supports and this server does not, such as
//     several items in a subscription, a default card of a subscription, other proration behaviour or weekly prices.
//
// # Differences from Stripe
//
// The server and the adapter were written by the same authors from Stripe's documentation, so both can contain the same
// misunderstanding, which only Stripe's test mode reveals. recordings_test.go compares the server with public recordings of
// the test mode; docs/stripe.md lists what they show. Known differences:
//
//   - Parameters are checked by their first name only. stripe-mock checks types and nested names.
//   - Objects have the fields that the adapter or the web app reads.
//   - Messages are Stripe's where these are known; param and doc_url are approximate.
//   - A customer keeps its first currency. Stripe releases it when nothing uses it any more.
//   - The invoice of a renewal is not a draft for an hour, failed charges are not listed, and events arrive in order.
//   - There are no rate limits, locks or delays except injected ones.
//   - Products, prices, tax rates, schedules, metadata, idempotency keys and customer details exist in memory only. A
//     stored state of the provider survives a restart.
package stripeserver
