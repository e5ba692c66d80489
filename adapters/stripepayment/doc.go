// Package stripepayment implements the payment port with Stripe Billing. It is the only package that imports Stripe's
// library. It exposes none of Stripe's types, and none of Stripe's messages except those about a declined card, which
// Stripe writes for the cardholder.
//
// # Files
//
//	adapter.go                      the settings of a server
//	provider.go                     Config and New
//	transport.go                    retries and time limits of requests
//	errors.go                       Stripe's errors as faults
//	idempotency.go                  idempotency keys; Retire
//	amounts.go                      Stripe's units of an amount
//	customers.go, customer_*.go     customers, billing details, tax ids
//	cards.go                        payment methods
//	subscriptions.go                a subscription as the port reports it
//	subscription_amounts.go         the amounts of a subscription: prices, discounts, the next invoice
//	subscribe.go                    a purchase
//	change_plan.go                  an immediate plan change: a pending update
//	change_at_renewal.go            a plan change at the renewal: a subscription schedule
//	change_replaced.go              a scheduled change that an immediate change replaces
//	cancel.go                       immediate cancellation
//	cancel_at_period_end.go         cancellation at the end of the period
//	quotes.go                       previews
//	invoices.go                     paying an invoice
//	invoice_payment.go              the payment intent of an invoice
//	invoice_list.go                 lists of invoices
//	invoice_payment_summary.go      payments and refunds of invoices
//	invoice_pdf.go                  documents of invoices
//	returned_payments.go            recording refunds and disputes
//	returned_record.go              the record of a charge
//	returned_credit.go              withdrawing returned amounts from the customer's credit
//	returned_owed.go                withdrawing owed amounts from new credit
//	returned_deductions.go          deducting returned payments from the unused time in a plan change
//	returned_holds.go               the hold of a customer after a dispute
//	support.go                      requests of operators: credit, refund, longer trial
//	events.go                       webhook events
//	prices.go                       prices of the catalogue
//	price_*.go                      comparing and pushing prices
//	tax_rates.go                    tax rates of the catalogue
//
// Functions such as subscriptionOf convert an object of Stripe, and request values that the object does not contain.
// Functions whose names begin with read or list send a request. The constants meta… are keys of metadata; each is declared
// in the file that uses it.
//
// # Requests
//
// The adapter checks every id before it sends a request. {…} stands for an id, and K for the caller's idempotency key. Each
// method sends its requests in the order of the lines. A name in parentheses stands for the requests of a shared step,
// which are listed below.
//
//	CreateCustomer        POST /v1/customers (K)
//	Customer              GET  /v1/customers/{c}
//	CustomerOf            GET  /v1/customers, with the email address, in pages of 100
//	Cards                 GET  /v1/customers/{c}/payment_methods, in pages of 100
//	AddCard               POST /v1/payment_methods/{pm}/attach (K)
//	                      GET  /v1/payment_methods/{pm}, if Stripe has refused to attach it, to find the reason
//	                      POST /v1/customers/{c} (K-default), which also returns the subscriptions
//	                      POST /v1/subscriptions/{s} (K-unpin-{s}), for each subscription that has its own card
//	                      or does not allow the type of the default method
//	SetDefaultCard        GET  /v1/customers/{c}/payment_methods/{pm}
//	                      POST /v1/customers/{c} (K-default)
//	                      POST /v1/subscriptions/{s} (K-unpin-{s}), as for AddCard
//	DeleteCard            GET  /v1/payment_methods/{pm}, to check its customer
//	                      POST /v1/payment_methods/{pm}/detach (K)
//	Subscribe             without a new card:
//	                        GET  /v1/customers/{c} with its subscriptions
//	                      with a new card:
//	                        POST /v1/payment_methods/{pm}/attach (K-attach)
//	                        POST /v1/customers/{c} (K-default)
//	                        POST /v1/subscriptions/{s} (K-unpin-{s}), as for AddCard
//	                      in both cases:
//	                        GET  /v1/charges of the customer, if it was charged before, to check that none is disputed
//	                        the requests of QuoteSubscription, if the request has a quote
//	                        POST /v1/subscriptions (K)
//	                        GET  /v1/payment_intents/{pi} with its charge, if the invoice is open
//	Subscription          GET  /v1/subscriptions/{s}
//	                      GET  /v1/prices/{price}, once, if the subscription has another currency than its price
//	                      GET  /v1/payment_intents/{pi} with its charge, if the invoice is open
//	                      POST /v1/invoices/create_preview, if there is a discount or more than one item
//	ListSubscriptions     GET  /v1/subscriptions, in pages of 100
//	                      for each subscription, the requests of Subscription except the first one
//	PayInvoice            GET  /v1/invoices/{in} with its customer and subscription
//	                      GET  /v1/customers/{c}/payment_methods/{pm}, if the caller names a card
//	                      POST /v1/invoices/{in}/pay (K), if something is due
//	                      GET  /v1/invoices/{in}, if Stripe has refused the payment
//	                      GET  /v1/payment_intents/{pi}, if the refused invoice is still open
//	                      the requests of Subscription
//	ChangePlan, immediate GET  /v1/subscriptions/{s}
//	                      GET  /v1/invoices of the subscription, to check that none is open
//	                      GET  /v1/charges of the customer, if an invoice was paid, to check that none is disputed
//	                      POST /v1/subscriptions/{s} (K-mark), which records the key and any replaced change
//	                      POST /v1/subscription_schedules/{id}/release (K-release), if there is a schedule
//	                      (find returned)
//	                      the requests of QuoteChange from the preview on, if the request has a quote
//	                      POST /v1/products, if the change has an item for returned payments
//	                      POST /v1/subscriptions/{s} (K), a pending update
//	                      POST /v1/invoices/{in} (K-hold), if the update is pending
//	                      (withdraw credit)
//	                      GET  /v1/payment_intents/{pi}, if the update is pending
//	ChangePlan, renewal   the requests of an immediate change, up to K-mark
//	                      POST /v1/subscription_schedules/{id}/release (K-release), if the schedule has no next phase
//	                      POST /v1/subscription_schedules (K-schedule), if there is no schedule
//	                      POST /v1/subscription_schedules/{id} (K), which sets the current and the next phase
//	                      GET  /v1/subscriptions/{s}
//	CancelScheduledChange GET  /v1/subscriptions/{s}
//	                      POST /v1/subscriptions/{s} (K-mark), if a replaced change is recorded
//	                      POST /v1/subscription_schedules/{id}/release (K), if there is a schedule
//	                      GET  /v1/subscriptions/{s}, after the release
//	SetEndAtPeriodEnd     GET  /v1/subscriptions/{s}
//	                      POST /v1/subscription_schedules/{id}/release (K-release), if the schedule has no next phase
//	                      POST /v1/subscriptions/{s} (K)
//	CancelPendingChange   GET  /v1/subscriptions/{s}
//	                      POST /v1/invoices/{in}/void (K)
//	                      (withdraw credit)
//	                      GET  /v1/subscriptions/{s}
//	QuoteSubscription     GET  /v1/customers/{c} with its subscriptions
//	                      POST /v1/invoices/create_preview
//	QuoteChange           GET  /v1/subscriptions/{s}
//	                      (find returned), unless the change is at the renewal
//	                      POST /v1/invoices/create_preview
//	                      GET  /v1/charges of the customer, if credit would remain
//	                      GET  /v1/invoices of the subscription, if one of these charges was returned
//	ListInvoices          GET  /v1/invoices/{in}, if the page starts after an invoice, to check its customer
//	                      GET  /v1/invoices of the customer, or GET /v1/invoices/{in} for a single invoice
//	                      GET  /v1/payment_intents/{pi} with its charge, for an open invoice with a next attempt
//	                      GET  /v1/charges of the customer since the oldest invoice, if an invoice was paid
//	                      GET  /v1/credit_notes of the customer, if any was issued after a payment
//	InvoicePDF            GET  /v1/invoices/{in}
//	                      GET  of the document, without the API key
//	UpdateCustomer        GET  /v1/customers/{c} with its tax ids
//	                      POST /v1/customers/{c}/tax_ids (K-tax-id), if the customer does not have the tax id
//	                      POST /v1/customers/{c} (K)
//	                      DELETE /v1/customers/{c}/tax_ids/{txi}, for each other tax id
//	AddCredit             GET  /v1/customers/{c} with its subscriptions
//	                      POST /v1/customers/{c}/balance_transactions (K)
//	                      GET  /v1/customers/{c}
//	ExtendTrial           GET  /v1/subscriptions/{s}
//	                      POST /v1/subscription_schedules/{id}/release (K-release), if the schedule has no next phase
//	                      POST /v1/subscriptions/{s} (K)
//	Refund                GET  /v1/invoices/{in} with its payments and subscription
//	                      POST /v1/refunds (K)
//	                      (record returns)
//	                      GET  /v1/charges, as for ListInvoices
//	LiftHold              GET  /v1/customers/{c} with its subscriptions
//	                      GET  /v1/charges of the customer
//	                      POST /v1/customers/{c} (K), which lifts the hold
//	                      (change balance), if there is held credit
//	ReturnedPayments      GET  /v1/customers/{c}
//	                      GET  /v1/charges of the customer
//	                      GET  /v1/invoice_payments of each returned payment, to find the number of its invoice
//	ParseEvents           charge.refunded, refund.* and charge.dispute.*:
//	                        GET  /v1/invoice_payments of the payment
//	                        GET  /v1/invoices/{in}, to find the customer
//	                        (record returns)
//	                      invoice.voided and invoice.paid, if the invoice has given the customer credit:
//	                        GET  /v1/invoices/{in}
//	                        (withdraw credit)
//
// CancelSubscription sends different requests for a past due subscription:
//
//	not past due          POST /v1/subscriptions/{s} (K), which records the key
//	                      GET  /v1/payment_intents/{pi}, if the subscription is active and its invoice is open
//	                      if an invoice is open and its payment is not processing:
//	                        POST /v1/invoices/{in}/void (K-void)
//	                        (withdraw credit)
//	                        GET  /v1/subscriptions/{s}
//	                      POST /v1/subscription_schedules/{id}/release (K-release), if there is a schedule
//	                      DELETE /v1/subscriptions/{s}
//	                      POST /v1/invoices/{in}/void (K-void), if its last invoice is open and not processing
//	                      GET  /v1/subscriptions/{s}, after this void
//	past due,             POST /v1/subscriptions/{s} (K), which records the key
//	invoices stay owed    POST /v1/subscription_schedules/{id}/release (K-release), if there is a schedule
//	                      DELETE /v1/subscriptions/{s}
//	past due,             POST /v1/subscriptions/{s} (K), which records the key
//	with VoidInvoices     GET  /v1/invoices of the subscription that are open
//	                      POST /v1/invoices/{in}/void (K-void-{in}), for each
//	                      (withdraw credit), for each
//	                      GET  /v1/subscriptions/{s}
//	                      POST /v1/subscription_schedules/{id}/release (K-release), if there is a schedule
//	                      DELETE /v1/subscriptions/{s}
//
// Several methods share these steps:
//
//	(find returned)       GET  /v1/charges of the customer, unless the subscription is in a trial
//	                      GET  /v1/invoices of the customer, if one of these charges was returned
//	(record returns)      GET  /v1/customers/{c} with its subscriptions
//	                      GET  /v1/charges of the customer
//	                      GET  /v1/disputes of the charge, if it is disputed
//	                      (put on hold), if there is a new dispute
//	                      GET  /v1/invoices of the customer, if more was returned than the credit
//	                      POST /v1/charges/{ch}, which records the returned and withdrawn amounts, if they have changed
//	                      (change balance), if the credit changes
//	(put on hold)         POST /v1/customers/{c}, which writes the hold
//	                      the requests of CancelSubscription, for a subscription whose first payment is open
//	                      the requests of CancelPendingChange and CancelScheduledChange, for changes that are not made
//	                      GET  /v1/customers/{c} and GET /v1/charges, if anything was canceled
//	                      (hold credit)
//	(hold credit)         POST /v1/customers/{c}, which records the credit, if there is any
//	                      (change balance)
//	(withdraw credit)     if the invoice is a paid one with an item for returned payments:
//	                        GET  /v1/customers/{c} with its subscriptions, and GET /v1/charges of the customer
//	                        POST /v1/charges/{ch}, which records the deduction, unless it is recorded
//	                      GET  /v1/charges of the customer, if the invoice has given the customer credit
//	                      if anything is owed or the customer is on hold:
//	                        GET  /v1/invoices of the subscription, unless the invoice is void
//	                        GET  /v1/customers/{c} with its subscriptions
//	                        GET  /v1/charges of the customer
//	                        for each charge with an owed amount:
//	                          GET  /v1/customers/{c}/balance_transactions, to check that nothing was withdrawn for the invoice yet
//	                          POST /v1/charges/{ch}, which records the withdrawal
//	                          (change balance)
//	                        (hold credit), if the customer is on hold
//	(change balance)      GET  /v1/customers/{c}/balance_transactions, to check that the change is not made yet
//	                      POST /v1/customers/{c}/balance_transactions (K-credit for LiftHold)
//	                      POST /v1/customers/{c} or /v1/charges/{ch}, which removes the record of the change
//
// These methods compare Stripe's prices with the catalogue, and push the differences:
//
//	Check                 GET  /v1/prices, ten lookup keys at a time
//	                      GET  /v1/tax_rates
//	Diff                  GET  /v1/prices, ten lookup keys at a time
//	                      GET  /v1/products
//	                      GET  /v1/prices of each product
//	                      GET  /v1/tax_rates
//	Push                  the requests of Diff
//	                      POST /v1/tax_rates and /v1/tax_rates/{id}, for the differences
//	                      POST /v1/products and /v1/products/{id}, for the differences
//	                      POST /v1/prices and /v1/prices/{id}, for the differences
//
// Subscribe and ChangePlan look up the price with GET /v1/prices, once per process and again if the cached price no longer
// matches the catalogue. A scheduled change and the line of an invoice contain only the id of their price, which the adapter
// reads with GET /v1/prices/{id} once per process. If the prices in a currency include tax, the adapter reads the tax rates
// with GET /v1/tax_rates once per process.
//
// # Number of requests
//
// The table counts the requests that a use case waits for, if the prices are cached and nothing fails. Whenever the
// application lists the subscriptions, it also lists the invoices and their charges; the table does not count these
// requests. An open invoice needs one more request, to read its payment. Tests in app/flows count the requests to
// stripeserver.
//
//	use case                                        calls
//	registering                                     1  create customer
//	reading the customer                            1  read customer
//	reading the cards                               1  list cards
//	reading the license                             0  from the stored copy
//	                                                1  if the stored copy may be stale: list
//	an event or a background check                  1  list
//	a repeated event                                0
//	an event about an older invoice                 1 more: read invoice
//	a list shows a new payment, failure or trial    1 more: read customer, for the email
//	a background check, a month before a charge     1 more: read customer, for the expiry of its card
//	first subscription, new card                    4  list cards, attach, make default, subscribe
//	                                                   1 more if other cards are saved: read customer
//	first subscription, default card                2  read customer, subscribe
//	later subscription                              2 more: list, list charges
//	paying an open invoice with a new card          6  list, attach, make default, read invoice, pay, read
//	                                                   1 more on the pay page: list cards
//	the first payment is declined                   1 more: read customer, to count the attempt
//	the declined card was new                       2 more: read card, detach
//	                                                   2 more if another card was the default: read card, make default
//	ending an open or unpaid subscription           more: see CancelSubscription
//	plan change                                     8  list, read, list invoices, list charges twice, mark, change,
//	                                                   read customer
//	                                                   1 fewer in a trial
//	                                                   2 more if a payment was returned: list invoices, create product
//	                                                   1 more with a quote: preview
//	                                                   1 more if it is not paid
//	                                                   1 more if another change is scheduled: release
//	                                                   1 more if credit remains: list charges
//	plan change at the renewal                      9  list, read, list invoices, list charges, mark, create schedule,
//	                                                   update it, read, read customer
//	canceling a change at the renewal               5  list, read, release, read, read customer
//	ending a plan                                   3  list, read, change
//	resuming a plan                                 4  list, read, change, read customer
//	quote of a first subscription                   2  read customer, preview
//	quote of a later subscription                   3  list, read customer, preview
//	quote of a plan change                          4  list, read, list charges, preview
//	                                                   1 fewer in a trial
//	                                                   1 more if a payment was returned: list invoices
//	                                                   1 more if credit remains: list charges
//	first page of invoices                          2  list invoices, list charges
//	next page of invoices                           3  read invoice, list invoices, list charges
//	document of an invoice                          2  read invoice, read document
//	billing details                                 2  read customer, change
//	                                                   2 more if the tax id is replaced: create, delete
//	paying a pending change                         4  list, read invoice, pay, read
//	canceling a pending change                      4  list, read, void, read
//	adding a card                                   2  attach, make default
//	making a card the default one                   2  read card, make default
//	deleting a card                                 4  list cards, read customer, read card, detach
//	                                                   1 more if it has copies: read customer; 3 more for each copy
//	                                                   1 more if it is the default one: list
//	a new default card with an overdue invoice      5 more: list, read payment, read invoice, pay, read
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
// docs/stripe.md lists the facts about Stripe that the code relies on.
//
// # Tests
//
// Tests with scripted responses (newStub) check what is sent, how errors are mapped, and the retries. stripe-mock, which has
// no state, checks every path and parameter against Stripe's published API description. The port's conformance suite runs
// against adapters/stripeserver, which keeps its state in the fake provider. With the build tag stripe_test_mode the suite
// runs against Stripe's test mode, see docs/stripe.md. These runs cover neither the authentication of cards nor the passing
// of time.
package stripepayment
