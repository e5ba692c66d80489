// Package engine computes what happens to a subscription over time: periods, trials, renewals,
// proration, invoice lines, credit, quotes, and retries of failed payments. Adapters of payment providers
// without a billing engine use it.
//
// A Subscription is a plain value. Its methods return a changed copy, take the time as an argument
// and do no I/O: the caller stores the value, creates and charges invoices, and records the result
// with PaymentSucceeded or PaymentFailed. Amounts are integers in minor units of the price's currency. Times
// are in UTC and in whole seconds.
//
// # Transitions of a subscription
//
//	StartSubscription without trial ─► incomplete ─ PaymentSucceeded ─► active ─ Renew ─► active
//	                         └ 23 h: StepExpire, End(incomplete_expired)  │
//	StartSubscription with trial ──► trialing ─ StepRenew, Renew ─────────┤
//	                                                                      └ PaymentFailed ─► past_due
//	past_due ─ StepRetry after 3, 5 and 7 more days ─► PaymentSucceeded: active; StepEndUnpaid at UnpaidEnd
//	active ─ PaymentReturned ─► past_due ─ PaymentSucceeded: active, or StepEndUnpaid after 15 days
//
// PaymentAccepted records a payment that takes days, such as a bank debit. Until PaymentSucceeded or PaymentFailed
// follows, NextStep returns StepNone: nothing expires, renews, ends or is charged again.
//
// NextStep returns the next step and its time. A change to another price costs the total of ChangeLines. If an amount is
// due, SetPendingChange stores the change until its invoice is paid; otherwise ApplyChange makes it immediately.
// ScheduleChange stores a change that Renew makes. A subscription can have both a pending and a scheduled change. When
// the pending change is paid, it replaces the scheduled one. After SetEndAtPeriodEnd the next step at the end of the
// period is StepEnd instead of StepRenew. A subscription with a pending or scheduled change can't be set to end. A
// subscription that is ending can't be changed. CheckChange, CheckSchedule and CheckEndAtPeriodEnd return the reason why
// a request is refused.
//
// NewInvoiceDraft deducts a customer's credit from the lines of an invoice. QuoteStart, QuoteChange and QuoteSchedule
// return the same lines and amounts together with the next charge, and change nothing.
//
// A ReturnedPayment computes how much of a refund or dispute is withdrawn from the customer's credit.
//
// # Accounts
//
// An Account contains the billing of a whole customer: subscriptions, invoices, credit, payments and refunds. An adapter
// loads it, calls Advance and a command, and stores it. Its Terms state how invoices are collected. Without
// Terms.ChargeTerms the customer pays by transfer, an operator records the payment, and orders can wait for an approval,
// as in adapters/invoicepayment. With Terms.ChargeTerms, invoices are charged through a provider that only moves money,
// as in adapters/enginepayment. An adapter that charges by itself, such as adapters/fakepayment, uses Subscription and
// the other types above without an Account.
//
// # Attempts to charge an invoice
//
// The account keeps an Attempt for each payment. An attempt with amount 0 saves a payment method without a payment.
//
//	stored ─ Claim ─► claimed ─ report ─► open ─ Cancel ─► canceling
//	  └ Cancel ─► canceled      └─────────┴──────────────────┴─► processing ─► failed, canceled, paid ─► returned
//
// A report never moves an attempt back, and paid supersedes failed and canceled. The part of a payment that exceeds its
// invoice becomes credit. How the account handles an invoice depends on the state of the attempt that is not over or, if all
// attempts are over, of the latest one:
//
//	state            | Pay                      | next step of the subscription | End, CancelPendingChange
//	stored           | Conflict                 | waits                         | cancel the attempt
//	claimed          | Conflict                 | waits                         | Conflict
//	open             | the same page, or        | cancels the attempt first     | wait until it is canceled
//	                 | cancels it first         |                               |
//	canceling        | Conflict                 | waits                         | Conflict
//	processing       | Conflict                 | waits                         | Conflict; End of a live subscription
//	                 |                          |                               | leaves the invoice owed
//	failed, canceled | begins another attempt   | is performed                  | act immediately
//	returned         | begins another attempt   | is performed, but no retry    | act immediately
//	paid             | the invoice stays paid   | is performed                  | act immediately
//
// A step that had to wait is performed with the time at which it was due.
//
// Commands store attempts and do not send them. Outbox returns the requests to send to the provider. The caller claims
// each attempt in a transaction, sends it after the commit, and reports the provider's response, immediately or days
// later. The caller repeats this until the Outbox is empty, after each request of the customer and again at the time of
// NextWorkAt.
//
//	Subscribe, ChangePrice, Pay, renewal ─► Outbox().Send ─ Claim ─► send ─ ReportPayment
//	unknown outcome ─► Outbox().Send again with the same key, or Outbox().Find ─ ReportPayment or ReportMissing
//	a page must be canceled first ─► Outbox().Cancel ─ ReportPayment ─► the request or the step follows
//	RequestRefund ─► Outbox().Refund ─ ClaimRefund ─► send ─ ReportRefund
//	RemoveMethod ─► Outbox().RemovedMethods ─ ReportMethodDeleted
package engine
