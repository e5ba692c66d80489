// Package engine computes what happens to a subscription over time: periods, trials, renewals,
// proration, invoice lines, credit, quotes, and retries of failed payments. Adapters of payment providers
// without a billing engine use it.
//
// A Subscription is a plain value. Its methods return a changed copy, take the time as an argument
// and do no I/O: the caller stores the value, creates and charges invoices, and reports the result
// with Paid or PaymentFailed. Amounts are integers in minor units of the price's currency. Times
// are in UTC and in whole seconds.
//
// # Transitions
//
//	Start without trial ─► incomplete ─ Paid ─► active ─ Renew ─► active
//	        └ 23 h: StepExpire, End(incomplete_expired)     │
//	Start with trial ──► trialing ─ StepRenew, Renew ───────┤
//	                                                        └ PaymentFailed ─► past_due
//	past_due ─ StepRetry after 3, 5 and 7 more days ─► Paid: active, or End after the last
//	active ─ PaymentReturned ─► past_due ─ Paid: active, or StepGiveUp after 15 days
//
// A payment that takes days, such as a bank debit, is Accepted first. Until it is Paid or PaymentFailed, NextStep is
// StepNone: nothing expires, renews, ends or is charged again.
//
// NextStep returns what is due and when. A change to another price costs the total of ChangeLines. If
// an amount is due, Await makes the change pending until its invoice is Paid; otherwise Apply makes it at
// once. Schedule leaves the change to the next Renew. With SetEnding the subscription ends at the end of its
// period: StepEnd instead of StepRenew. A change replaces the scheduled one when it is made; besides that, changes and
// an end exclude each other. CheckChange, CheckSchedule and CheckEnding return why a request is refused.
//
// NewBill deducts a customer's credit from the lines of an invoice. QuoteStart, QuoteChange and QuoteSchedule
// return the same lines and amounts without changing anything, and the charge that follows.
//
// Returned accounts for a payment that was refunded or disputed: how much of it is withdrawn from the customer's credit.
//
// # Accounts
//
// An Account is the billing of a whole customer: subscriptions, invoices, credit, payments and refunds. A provider loads it,
// calls Advance and a command, and stores it. Its Terms say how invoices are collected. Without Charging the customer pays
// by transfer, which an operator records, and orders can wait for an approval, as in adapters/invoicepayment. With
// Charging, invoices are charged through a service that only moves money, as in adapters/enginepayment. Providers that charge by themselves, as
// adapters/fakepayment, use the parts above.
//
// # Charges
//
// The account keeps an Attempt for each payment, and one of 0 for a method that is saved without a payment:
//
//	stored ─ Claim ─► claimed ─ Report ─► open ─ Cancel ─► canceling
//	  └ Cancel ─► canceled      └─────────┴──────────────────┴─► processing ─► failed, canceled, paid ─► returned
//
// Commands store attempts and do not send them. Due returns what is to be done at the service: the caller Claims each
// attempt in a transaction, sends it after the commit, and Reports what the service returns, at once or days later. It
// does so until Due is empty, immediately after a request of the customer, and again when NextAt is due.
//
//	subscribe, change, pay, renew ─► Due().Send ─ Claim ─► send ─ Report
//	unknown outcome ─► Due().Send again with the same key, or Due().Find ─ Report, or ReportMissing
//	end, drop, expire or pay otherwise, while a page is open ─► Due().Cancel ─ Report ─► it happens
//	RequestRefund ─► Due().Refund ─ ClaimRefund ─► send ─ ReportRefund
//	RemoveMethod ─► Due().ForgetMethods ─ Forgotten
//
// A report never moves an attempt back, and paid wins over failed and canceled; the money of a payment that nothing waits for
// becomes credit. While an attempt Pauses a subscription, which has Processing set then, no step happens: it neither
// expires nor renews, retries or ends. Steps that were due keep their time.
package engine
