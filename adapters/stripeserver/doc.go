// Package stripeserver serves a fake Stripe API for tests and local use. It has Stripe's wire format in the API version
// that adapters/stripepayment uses. The provider of adapters/fakepayment decides what happens to cards, payments,
// trials and renewals; this package translates requests and responses. The program cmd/stripeserver runs the server.
//
//	provider, err := fakepayment.Open(…)
//	http.Handle("/", stripeserver.New(provider, stripeserver.Config{Catalogue: catalogue.Default()}))
//
// # Supported API
//
// The server imitates customers with tax ids and balance, payment methods, subscriptions, schedules, invoices and their
// previews, charges, refunds, credit notes, disputes, payment intents, setup intents, products, prices and tax rates. The top
// of each file lists its endpoints. Every other path responds with 404 and every unknown parameter with 400.
//
//   - Parameters are form-encoded with nested names. Every response has a Request-Id and a Stripe-Version. The server
//     refuses a request with another version. The endpoints for browsers accept the publishable key; the endpoints of an
//     intent accept it only together with the intent's client secret.
//   - If an idempotency key was used before, the server replays the stored response with Idempotent-Replayed, even if it is
//     an error or a 500. It responds with an idempotency_error if the parameters or the endpoint differ, and with 409 while
//     the first request runs. DELETE ignores the key. A request that fails validation leaves the key unused. A request that
//     is refused because the customer has no payment method uses the key. Only stored responses have
//     Stripe-Should-Retry: false.
//   - Fields are ids unless they are expanded, at most four levels deep. An invoice's confirmation_secret and payments, a
//     price's currency_options and a customer's subscriptions are absent unless expanded. An invoice has no payment_intent.
//   - Lists have pages of 10, or up to 100 with limit.
//   - An invoice that is paid with paid_out_of_band has no charge, a canceled payment, and an amount_paid of 0.
//   - Attaching a declined card, paying an invoice with it or confirming an intent with it returns a 402 card_error.
//     Starting or changing a subscription with it returns no error.
//   - A credit note is issued for a paid invoice, and its whole amount is refunded. Refunds without a credit note have none.
//   - A change of price is a pending update until its invoice is paid.
//   - A payment by au_becs_debit is processing for three days, with a pending charge and an active subscription. The
//     account number determines whether it succeeds, fails, or is returned later by a dispute that is lost immediately.
//     This requires Config.StripeDebitRules of the fake provider.
//   - A schedule is created from a subscription without other parameters. It owns the subscription until its last phase
//     ends, and until then the end of the subscription can't be set or cleared. A schedule has at most a current and a next
//     phase.
//   - The link to an invoice's document redirects to the file, and neither needs an API key.
//   - Canceling a subscription voids its first invoice if that is open, and leaves other invoices open. Canceling the
//     subscription again returns 404.
//
// # Endpoints that Stripe does not have
//
// Requests to /local need no API key.
//
//   - POST /local/authentications/{client_secret} with outcome=complete or fail acts as the bank's authentication page.
//   - POST /local/disputes with the number of an invoice and action=open, won or lost disputes the payment or ends the
//     dispute, as the cardholder's bank does.
//   - POST /local/refunds with the id of a refund and status=failed, canceled or requires_action reverses the refund.
//   - POST /local/faults, or [Server.InjectFault], makes one request fail before or after its effect. The failure is a
//     rate limit or a lock timeout (both 429), a 500, a broken connection or no response.
//   - The account numbers of au_becs_debit are the test numbers of adapters/fakepayment.
//   - The error code local_stripe_unsupported reports parameters that Stripe supports and this server does not, such as
//     several items in a subscription, a default card of a subscription, other proration behaviour or weekly prices.
//
// # Differences from Stripe
//
// The server and the adapter were written by the same authors from Stripe's documentation, so both can contain the same
// misunderstanding. Only Stripe's test mode reveals it. recordings_test.go compares the server with public recordings of
// the test mode; docs/stripe.md lists what they show. Known differences:
//
//   - Parameters are checked by their first name only. stripe-mock checks types and nested names.
//   - Objects have the fields that Stripe requires, and of the others those that the adapter or the web app reads.
//     openapi_test.go lists the exceptions. The subjects of events contain only ids, statuses, amounts and times;
//     those of invoice events have no lines.
//   - Messages are Stripe's where these are known; param and doc_url are approximate.
//   - A customer keeps its first currency. Stripe clears the currency when nothing uses it any more.
//   - The invoice of a renewal is not a draft for an hour, failed charges are not listed, and events arrive in order.
//   - There are no rate limits, locks or delays except injected ones.
//   - Products, prices, tax rates, schedules, metadata, idempotency keys, credit notes and customer details exist in memory
//     only. Only the state of the provider can survive a restart.
package stripeserver
