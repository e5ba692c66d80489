// Package stripepayment implements the payment port with Stripe Billing. It is the only package that imports Stripe's
// library. It exposes none of Stripe's types, and none of Stripe's messages except those about a declined card, which
// Stripe writes for the cardholder.
//
// Functions such as subscriptionOf convert an object of Stripe, and request values that the object does not contain.
// Functions whose names begin with read or list send a request. The constants meta… are keys of metadata; each is declared
// in the file that uses it.
//
// # Time limits and retries
//
// Every request has a time limit. The adapter repeats a request with the same bytes and idempotency key after a network
// error, a server error or a rate limit, and while Stripe is busy with the same key, see transport.go. If the outcome
// is still unknown after the last attempt, the method returns Unavailable.
//
// # Choices
//
//   - Stripe charges the customer's default card. The adapter sets no card on a subscription. When the default changes, it
//     removes cards that were set on subscriptions elsewhere.
//   - Subscriptions use the classic billing mode. A trial starts with an invoice of zero, and ending the trial early starts
//     the first paid period.
//   - The price determines the plan of a subscription, by its lookup key or, after another price has taken over the key, by
//     its metadata. A subscription without such a price counts as one for a product outside the catalogue.
//   - A plan change is a pending update: the paid plan or the trial continues until the difference is paid. Stripe
//     accepts no metadata together with a pending update, so the adapter writes the key of the request before the update.
//     It also sets auto_advance=false on the invoice, because the documentation does not say whether Stripe would charge
//     the invoice of a pending update by itself.
//   - A change is refused while an invoice of the subscription is a draft or open, because Stripe would credit the rest of
//     an unpaid period. For an hour after a renewal the invoice is a draft.
//   - An invoice's refunds are those of its charges. Stripe can't include the charges in a list of invoices, so the adapter
//     lists the customer's charges with one more request for each page.
//   - A quote is a preview with the parameters of the request. If the interval changes, Stripe can't preview the
//     invoice of a change at the renewal. The adapter previews a new subscription to the target price instead, and replaces
//     its period.
//   - The refunded and disputed amounts of a charge are withdrawn from the customer's balance and recorded in the charge's
//     metadata, see returnRecord. A change of the balance is recorded before it is applied, see creditChange.
//   - A disputed charge puts its customer on hold. Stripe's dispute object names neither the customer nor the
//     subscription, so the hold is written to the customer's metadata, see metaHold. Stripe deducts the balance from every
//     invoice, so held credit is taken out of the balance, see metaHeldCredit.
//   - A payment by bank debit takes days. Stripe starts the plan immediately. It does not report when the money
//     arrives, nor that a returned payment is owed again, see invoice_payment.go and docs/stripe.md.
//   - A price is not sold if it is missing at Stripe or has another amount there. Customers are charged only what was
//     displayed.
//
// docs/stripe.md lists the facts about Stripe that the code relies on, and docs/stripe-requests.md the requests of each
// method and how many each use case needs.
//
// # Tests
//
// Tests with scripted responses (newStub) check what is sent, how errors are mapped, and the retries. stripe-mock, which has
// no state, checks every path and parameter against Stripe's published API description. The port's conformance suite runs
// against adapters/stripeserver, which keeps its state in the fake provider. With the build tag stripe_test_mode the suite
// runs against Stripe's test mode, see docs/stripe.md. These runs cover neither the authentication of cards nor the passing
// of time.
package stripepayment
