// Package stripepayment implements the payment port with Stripe Billing. It is the only package that imports Stripe's
// library. It exposes none of Stripe's types, and none of Stripe's messages except those about a declined card, which
// Stripe writes for the cardholder.
//
// # Files
//
//	adapter.go, provider.go         the settings of a server; Config and New
//	transport.go                    retries and time limits of requests
//	errors.go, idempotency.go       Stripe's errors as faults; keys, Retire
//	amounts.go                      Stripe's units of an amount
//	customers.go, customer_*.go     customers, billing details, tax ids
//	cards.go                        payment methods
//	subscriptions.go                a subscription as the port reports it
//	subscription_amounts.go         what it costs: prices, discounts, the next invoice
//	subscribe.go                    a purchase
//	change_plan.go                  an immediate plan change: a pending update
//	change_at_renewal.go            a plan change at the renewal: a subscription schedule
//	change_replaced.go              a scheduled change that an immediate change replaces
//	cancel.go                       immediate cancellation
//	cancel_at_period_end.go         cancellation at the end of the period
//	quotes.go                       previews
//	invoices.go, invoice_*.go       paying an invoice; its payment intent; lists, payments and refunds, documents
//	returned_payments.go            refunds and disputes: withdrawn from the credit and recorded with the charge
//	returned_record.go, _credit.go  the record of a charge; the customer's credit
//	returned_owed.go                amounts that are still owed: withdrawn from credit that is created later
//	returned_holds.go               the hold of a customer after a dispute
//	support.go                      requests of operators: credit, refund, longer trial
//	events.go                       webhook events
//	prices.go, price_*.go           prices of the catalogue; comparing and pushing them
//	tax_rates.go                    tax rates of the catalogue
//
// Functions such as subscriptionOf convert an object of Stripe, and read what the object does not contain. Functions whose
// names begin with read or list send a request. The constants meta… are the keys of metadata, declared in the file that uses
// them.
//
// # Requests
//
// The adapter never sends strings that can't be ids. {…} stands for an id, K for the caller's idempotency key.
//
//	CreateCustomer        POST /v1/customers (K)
//	Customer              GET  /v1/customers/{c}
//	CustomerOf            GET  /v1/customers, with the email address, in pages of 100
//	Cards                 GET  /v1/customers/{c}/payment_methods, in pages of 100
//	AddCard               POST /v1/payment_methods/{pm}/attach (K)
//	                      GET  /v1/payment_methods/{pm}, only if Stripe has refused to attach it, to find the reason
//	                      POST /v1/customers/{c} (K-default), which also returns the subscriptions
//	                      POST /v1/subscriptions/{s} (K-unpin-{s}), for each that has its own card or does not allow the
//	                      type of the default method
//	SetDefaultCard        GET  /v1/customers/{c}/payment_methods/{pm}
//	                      POST /v1/customers/{c} and POST /v1/subscriptions/{s} as for AddCard
//	DeleteCard            GET  /v1/payment_methods/{pm}, to check its customer
//	                      POST /v1/payment_methods/{pm}/detach (K)
//	Subscribe             GET  /v1/customers/{c} with its subscriptions, or with a card
//	                      POST /v1/payment_methods/{pm}/attach (K-attach) and POST /v1/customers/{c} as for AddCard
//	                      GET  /v1/charges of the customer, if it was charged before, to check that none is disputed
//	                      POST /v1/subscriptions (K)
//	                      GET  /v1/payment_intents/{pi} with its charge, only if the invoice is open
//	Subscription          GET  /v1/subscriptions/{s}
//	                      GET  /v1/payment_intents/{pi}, as for Subscribe
//	                      GET  /v1/prices/{price}, once, if the subscription has another currency than its price
//	                      POST /v1/invoices/create_preview, only with a discount or several items
//	ListSubscriptions     GET  /v1/subscriptions, in pages of 100
//	                      GET  /v1/payment_intents/{pi}, prices and previews as for Subscription, for each of them
//	PayInvoice            GET  /v1/invoices/{in} with its customer and subscription
//	                      GET  /v1/customers/{c}/payment_methods/{pm}, if a card is named
//	                      POST /v1/invoices/{in}/pay (K), if something is due
//	                      GET  /v1/invoices/{in} and GET /v1/payment_intents/{pi}, only if Stripe has refused the payment
//	                      GET  /v1/subscriptions/{s}, and GET /v1/payment_intents/{pi} as for Subscribe
//	ChangePlan            GET  /v1/subscriptions/{s}
//	                      GET  /v1/invoices of the subscription, to check that none is open
//	                      GET  /v1/charges of the customer, if an invoice was paid, to check that none is disputed
//	                      POST /v1/subscriptions/{s} (K-mark), which records the key and the scheduled change that it replaces
//	                      POST /v1/subscription_schedules/{id}/release (K-release), if there is a schedule
//	                      POST /v1/subscriptions/{s} (K), a pending update
//	                      POST /v1/invoices/{in} (K-hold) and GET /v1/payment_intents/{pi}, if it is pending
//	                      and the requests of withdrawing what is owed, see below, if it has created credit
//	ChangePlan at renewal GET and POST (K-mark) as above, then
//	                      POST /v1/subscription_schedules (K-schedule), unless there is one
//	                      POST /v1/subscription_schedules/{id} (K), the current and the next phase
//	                      GET  /v1/subscriptions/{s}
//	CancelScheduledChange GET  /v1/subscriptions/{s}
//	                      POST /v1/subscriptions/{s} (K-mark), if a replaced change is recorded
//	                      POST /v1/subscription_schedules/{id}/release (K)
//	                      GET  /v1/subscriptions/{s}
//	SetEndAtPeriodEnd     GET  /v1/subscriptions/{s}
//	                      POST /v1/subscription_schedules/{id}/release (K-release), if a schedule has no future phase
//	                      POST /v1/subscriptions/{s} (K)
//	CancelPendingChange   GET  /v1/subscriptions/{s}
//	                      POST /v1/invoices/{in}/void (K)
//	                      GET  /v1/subscriptions/{s}
//	CancelSubscription    POST /v1/subscriptions/{s} (K), which records the key
//	                      GET  /v1/payment_intents/{pi}, if the subscription is active and its invoice is open
//	                      POST /v1/invoices/{in}/void (K-void) and GET /v1/subscriptions/{s}, first, if an invoice is open and
//	                      its payment is not processing
//	                      POST /v1/subscription_schedules/{id}/release (K-release), if it has a schedule
//	                      DELETE /v1/subscriptions/{s}
//	                      POST /v1/invoices/{in}/void (K-void), if its last invoice is still open
//	  of a past due one   without the two voids, or, with VoidInvoices, before it is ended:
//	                      GET  /v1/invoices that are open, POST /v1/invoices/{in}/void (K-void-{in}) for each
//	                      and GET  /v1/subscriptions/{s}
//	QuoteSubscription     GET  /v1/customers/{c} with its subscriptions
//	                      POST /v1/invoices/create_preview
//	QuoteChange           GET  /v1/subscriptions/{s}
//	                      POST /v1/invoices/create_preview
//	                      GET  /v1/charges of the customer, if credit would remain, and GET /v1/invoices of the
//	                      subscription, if a charge was returned
//	ListInvoices          GET  /v1/invoices/{in}, if the page starts after an invoice, to check its customer
//	                      GET  /v1/invoices of the customer, or GET /v1/invoices/{in} for a single invoice
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
//	                      POST /v1/subscriptions/{s} (K)
//	Refund                GET  /v1/invoices/{in} with its payments and subscription
//	                      POST /v1/refunds (K)
//	                      the requests of recording what was returned, see below
//	                      GET  /v1/charges as for ListInvoices
//	LiftHold              GET  /v1/customers/{c} with its subscriptions and GET /v1/charges of the customer
//	                      POST /v1/customers/{c} (K), and POST /v1/customers/{c}/balance_transactions (K-credit) with
//	                      GET before and POST /v1/customers/{c} after it, if credit was set aside
//	ReturnedPayments      GET  /v1/customers/{c} and GET /v1/charges of the customer
//	                      GET  /v1/invoice_payments of each payment that was returned, to find the number of its invoice
//	ParseEvents           only for charge.refunded and charge.dispute.*:
//	                      GET  /v1/invoice_payments of the payment and GET /v1/invoices/{in}, to find the customer, and
//	                      the requests of recording what was returned, see below
//	                      only for invoice.voided and invoice.paid, if it has given the customer credit:
//	                      GET  /v1/invoices/{in} and the requests of withdrawing what is owed, see below
//	Recording what was    GET  /v1/customers/{c} with its subscriptions and GET /v1/charges of the customer
//	returned of a charge  GET  /v1/disputes of the charge, if it is disputed
//	                      GET  /v1/invoices of the customer, if more was returned than the credit
//	                      POST /v1/charges/{ch}, which records the returned and withdrawn amounts, if they have changed
//	                      POST /v1/customers/{c}/balance_transactions with GET before and POST /v1/charges/{ch} after it,
//	                      if the credit changes
//	  a new dispute       before: POST /v1/customers/{c}, which writes the hold, the requests of CancelSubscription or
//	                      CancelPendingChange for what is not paid, and for the rest of the credit
//	                      POST /v1/customers/{c}/balance_transactions with GET before and POST /v1/customers/{c} around it
//	Withdrawing what is   GET  /v1/charges of the customer; the rest only if anything is owed, or the customer is on hold:
//	owed from new credit  GET  /v1/invoices of the subscription, and the requests of recording what was returned
//	Check                 GET  /v1/prices, ten lookup keys at a time, and GET /v1/tax_rates
//	Diff                  the same, GET /v1/products, and GET /v1/prices for each product
//	Push                  the same, then POST /v1/products, POST /v1/products/{id}, POST /v1/prices
//	                      and POST /v1/prices/{id} for the differences, and the same for /v1/tax_rates
//
// Subscribe and ChangePlan also need the price: GET /v1/prices by lookup key, once per process and
// again if the cached price no longer fits. A scheduled change and the line of an invoice have only the
// id of their price: GET /v1/prices/{id}, once per process. A currency whose prices include tax needs its
// tax rate: GET /v1/tax_rates, once per process.
//
// # Number of requests
//
// These are the requests that a use case waits for, if the prices are cached and nothing fails. While the subscriptions are
// listed, the invoices and their charges are listed too, which is not counted here. An open invoice needs one more request,
// to read its payment. Tests in app/flows count the requests to stripeserver.
//
//	use case                                        calls
//	registering                                     1  create customer
//	reading the customer or the cards               1  read customer; list cards
//	reading the license                             0; 1 if the stored copy may be stale: list
//	an event or a background check                  1  list; 0 for a repeated event
//	an event about an older invoice                 1 more: read invoice
//	a new payment, failure or trial in any list     1 more: read customer, for the email
//	a background check, a month before a charge     1 more: read customer, for the expiry of its card
//	first subscription, new card                    4  list cards, attach, make default, subscribe
//	                                                   1 more if other cards are saved: read customer
//	first subscription, default card                2  read customer, subscribe
//	later subscription                              2 more: list, list charges
//	paying an open invoice with a new card          7  list, list cards, attach, make default, read invoice, pay, read
//	the first payment is declined                   1 more: read customer, to count the attempt
//	the next request about cards or payments        4 more: read customer, list cards, read card, detach; 6 for cards
//	ending an open or unpaid subscription           more: see CancelSubscription
//	plan change                                     7  list, read, list invoices, list charges, mark, change, read customer
//	                                                   1 more if it is not paid
//	                                                   1 more: release, if another change is scheduled
//	                                                   1 more if credit remains: list charges
//	plan change at the renewal                      9  list, read, list invoices, list charges, mark, create schedule,
//	                                                   update it, read, read customer
//	canceling a change at the renewal               5  list, read, release, read, read customer
//	ending a plan; resuming it                      3  list, read, change; 4 with read customer
//	quote of a first subscription; of a change      2  read, preview; 3 with list; 4 with list charges if credit remains
//	a page of invoices; a document                  2  list, list charges; 3 after the first page; read, and the document
//	billing details                                 2  read, change; 4 with another tax id
//	paying a pending change                         4  list, read invoice, pay, read
//	canceling a pending change                      4  list, read, void, read
//	add a card                                      3  attach, make default, list cards
//	an older copy of a card is detached             5 more: list, read customer, list cards, read card, detach
//	make a card the default one                     2  read card, make default
//	delete a card                                   3  read customer, read card, detach; 4 if it is the default one
//	a new default card with an overdue invoice      4 more: list, read invoice, pay, read
//
// # Time limits and retries
//
// Every request has a time limit. It is sent again with the same bytes and the same idempotency key after a network error, a
// server error or a rate limit, and while Stripe is busy with the same key, see transport.go. If the outcome is still
// unknown after that, the result is Unavailable.
//
// # Choices
//
//   - Stripe charges the customer's default card. The adapter sets no card on a subscription. When the default changes, it
//     removes cards that were set on subscriptions elsewhere.
//   - Subscriptions use the classic billing mode: a trial starts with an invoice of zero, and ending it early starts the
//     first paid period.
//   - The price determines the plan of a subscription, by its lookup key or, after another price has taken over the key, by
//     its metadata. A subscription without such a price is a foreign product.
//   - A plan change is a pending update: the paid plan or the trial continues until the difference is paid. Stripe
//     accepts no metadata together with it, so the key of the request is written before. Whether Stripe would retry the
//     invoice of a pending update by itself was not verified, so the invoice is taken out of automatic collection
//     (auto_advance=false).
//   - A change is refused while an invoice of the subscription is a draft or open, because Stripe credits the rest of the
//     period as if it were paid. For an hour after a renewal the invoice is a draft.
//   - An invoice's refunds are those of its charges. A list of invoices can't be expanded that far, so the customer's
//     charges are listed too: one request for a page, not one for each invoice.
//   - A quote is a preview with the parameters of the request. The preview of a change at the renewal is that of a new
//     subscription to the same price, with the period replaced.
//   - The refunded and disputed amounts of a charge are withdrawn from the customer's balance and recorded in the charge's
//     metadata, see returnRecord. A change of the balance is recorded before it is applied, see creditChange.
//   - A disputed charge puts its customer on hold. Stripe reports the dispute with neither the customer nor the
//     subscription, so the hold is written to the customer's metadata, see metaHold. Stripe deducts the balance from every
//     invoice, so credit that must not be used is taken out of it, see metaHeldCredit.
//   - A payment by bank debit takes days. Stripe starts the plan immediately. It reports neither when the money arrives nor
//     that a returned payment is owed again, see invoice_payment.go and docs/stripe.md.
//   - A price that is missing at Stripe, or has another amount there, is not sold, so that customers are charged only what
//     was displayed.
//
// docs/stripe.md lists the facts about Stripe that the code relies on.
//
// # Tests
//
// Tests with scripted responses (newStub) check what is sent, how errors are mapped, and the retries. stripe-mock, which has
// no state, checks every path and parameter against Stripe's published API description. The port's conformance suite runs
// against adapters/stripeserver, which keeps its state in the fake provider. With the build tag stripe_test_mode it runs
// against Stripe's test mode, see docs/stripe.md. The test mode covers neither the authentication of cards nor the passing
// of time.
package stripepayment
