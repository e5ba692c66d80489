// Package stripepayment takes payments through Stripe. It is the only package that imports
// Stripe's library: nothing of Stripe's, neither a type nor a text, leaves it, except the sentence
// about a card that was refused, which is written for the card's holder.
//
// # What is asked of Stripe
//
// Ids that can't be ids never reach Stripe. {…} stands for an id, K for the caller's key.
//
//	CreateCustomer        POST /v1/customers (K)
//	Customer              GET  /v1/customers/{c}
//	CustomerOf            GET  /v1/customers, those with the e-mail address, a page of 100 at a time
//	Cards                 GET  /v1/customers/{c}/payment_methods, a page of 100 at a time
//	AddCard               POST /v1/payment_methods/{pm}/attach (K)
//	                      GET  /v1/payment_methods/{pm}, only when it was refused: whose is it?
//	                      POST /v1/customers/{c} (K-default), which also shows the subscriptions
//	                      POST /v1/subscriptions/{s} (K-unpin-{s}), for each that has a card of its own
//	SetDefaultCard        GET  /v1/customers/{c}/payment_methods/{pm}
//	                      POST /v1/customers/{c} and POST /v1/subscriptions/{s} as for AddCard
//	DeleteCard            GET  /v1/payment_methods/{pm}: is it somebody else's?
//	                      POST /v1/payment_methods/{pm}/detach (K)
//	Subscribe             GET  /v1/customers/{c} with its subscriptions, or with a card
//	                      POST /v1/payment_methods/{pm}/attach (K-attach) and POST /v1/customers/{c} as for AddCard
//	                      POST /v1/subscriptions (K)
//	                      GET  /v1/payment_intents/{pi}, only when the invoice is still to be paid
//	Subscription          GET  /v1/subscriptions/{s}
//	                      GET  /v1/payment_intents/{pi}, as for Subscribe
//	ListSubscriptions     GET  /v1/subscriptions, a page of 100 at a time
//	                      GET  /v1/payment_intents/{pi}, as for Subscribe, for each of them
//	PayInvoice            GET  /v1/invoices/{in} with its customer and subscription
//	                      GET  /v1/customers/{c}/payment_methods/{pm}, when a card is named
//	                      POST /v1/invoices/{in}/pay (K), when there is something to pay
//	                      GET  /v1/subscriptions/{s}, and GET /v1/payment_intents/{pi} as for Subscribe
//	ChangePlan            GET  /v1/subscriptions/{s}
//	                      GET  /v1/invoices of the subscription: is one of them still to be paid?
//	                      POST /v1/subscriptions/{s} (K-mark), which writes the key down
//	                      POST /v1/subscriptions/{s} (K), a pending update
//	                      POST /v1/invoices/{in} (K-hold) and GET /v1/payment_intents/{pi}, when it is pending
//	CancelPendingChange   GET  /v1/subscriptions/{s}
//	                      POST /v1/invoices/{in}/void (K-void)
//	                      GET  /v1/subscriptions/{s}
//	CancelSubscription    POST /v1/subscriptions/{s} (K), which claims the key: see cancel.go
//	                      POST /v1/invoices/{in}/void (K-void) and GET /v1/subscriptions/{s}, first, if only unpaid
//	                      DELETE /v1/subscriptions/{s}
//	                      POST /v1/invoices/{in}/void (K-void), when its last bill is still open
//	Check                 GET  /v1/prices, ten lookup keys at a time
//	Diff                  the same, GET /v1/products, and GET /v1/prices for each product
//	Push                  the same, then POST /v1/products, POST /v1/products/{id}, POST /v1/prices
//	                      and POST /v1/prices/{id} for what differs
//
// Subscribe and ChangePlan also need a price: GET /v1/prices by lookup key, once for the life of
// the process and again when what is known of it can't be right.
//
// # How often it is asked
//
// On the way to an answer, once the prices are known and when nothing goes wrong; what is still to
// be paid takes a look at its payment more. Tests in app/flows count against a local Stripe.
//
//	use case                                            calls
//	registering                                         1  create customer
//	the customer, or the cards, are shown               1  read customer; list cards
//	somebody looks at the license                       0; 1 when our copy may have become wrong: list
//	an event, or a check in the background              1  list; 0 when the event was known
//	first subscription, new card                        4  list cards, attach, make default, subscribe
//	                                                       1 more when other cards are saved: read customer
//	first subscription, default card                    2  read customer, subscribe
//	later subscription                                  1 more: list
//	the open one continued with a new card              7  list, list cards, attach, make default, read invoice, pay, read
//	the first payment declined                          1 more: read customer, to count the attempt
//	the next request about cards or payments then       4 more: read customer, list cards, read card, detach; 6 for cards
//	the open one replaced, or an unpaid one ended       more: see CancelSubscription
//	change of plan                                      5  list, read, list invoices, mark, change; 7 if it is not paid
//	a pending change of plan paid                       4  list, read invoice, pay, read
//	a pending change of plan dropped                    4  list, read, void, read
//	add a card                                          3  attach, make default, list cards
//	an older copy of a card is detached                 5 more: list, read customer, list cards, read card, detach
//	make a card the default one                         2  read card, make default
//	delete a card                                       3  read customer, read card, detach; 4 if it is the default one
//	a new default card while a bill is overdue          4 more: list, read invoice, pay, read
//
// # How it is asked
//
// Every request has a time limit and is tried again, with the same bytes and the same idempotency
// key, when the network or Stripe failed, when there were too many requests, and when Stripe was
// still busy with the same key; see courier.go. Whatever is still unknown then is Unavailable.
//
// # Choices
//
//   - The card that is charged is the customer's default one. Nothing is pinned to a
//     subscription, and what somebody else pinned there is let go when the default changes.
//   - Subscriptions are in Stripe's classic billing mode: a trial begins with an invoice of
//     nothing, and ending it early begins the first paid period.
//   - The price decides which plan a subscription is of, by its lookup key, or by its metadata
//     after another price has taken the key over. What none of them names is a foreign product.
//   - A change of plan is a pending update: the paid plan, or the trial, stays until the difference
//     is paid. Stripe accepts no metadata together with it, so the key of the request is written
//     before. Unverified at Stripe itself: whether its own retries would charge the invoice of a
//     pending update. It is taken out of automatic collection (auto_advance) to be safe.
//   - A change is refused while an invoice of the subscription is a draft or open, because Stripe
//     credits the rest of the period as if it were paid. For an hour after a renewal it is a draft.
//   - A price that is missing at Stripe, or costs something else there, is not sold: what was shown
//     is what is charged.
//
// # What proves it
//
// A Stripe that follows a script proves what is sent, how failures are told apart and when it is
// sent again. stripe-mock proves that Stripe's published description knows every path and parameter
// that is ever sent, and nothing else: it has no state. A local Stripe with the embedded provider's
// state proves the whole port, as far as that provider behaves as Stripe does. Stripe's own test mode
// proves it of Stripe, all but the authentication of cards and the passing of time; it is asked only
// when DIY_STRIPE_TEST_KEY holds the secret test key of an account that may be cluttered.
package stripepayment
