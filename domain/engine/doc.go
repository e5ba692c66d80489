// Package engine computes what happens to a subscription over time: periods, trials, renewals,
// proration, invoice lines, credit, quotes, and retries of failed payments. Adapters of payment providers
// without a billing engine use it.
//
// A Subscription is a plain value. Its methods return a changed copy, take the time as an argument
// and do no I/O: the caller stores the value, creates and charges invoices, and reports the result
// with PaymentSucceeded or PaymentFailed. Amounts are integers in minor units of the price's currency. Times
// are in UTC and in whole seconds.
//
// # Transitions of a subscription
//
//	Start without trial ─► incomplete ─ PaymentSucceeded ─► active ─ Renew ─► active
//	        └ 23 h: StepExpire, End(incomplete_expired)       │
//	Start with trial ──► trialing ─ StepRenew, Renew ─────────┤
//	                                                          └ PaymentFailed ─► past_due
//	past_due ─ StepRetry after 3, 5 and 7 more days ─► PaymentSucceeded: active, or End after the last
//	active ─ PaymentReturned ─► past_due ─ PaymentSucceeded: active, or StepGiveUp after 15 days
//
// PaymentAccepted records a payment that takes days, such as a bank debit. Until PaymentSucceeded or PaymentFailed
// follows, NextStep returns StepNone: nothing expires, renews, ends or is charged again.
//
// NextStep returns the next step and its time. A change to another price costs the total of ChangeLines. If
// an amount is due, SetPendingChange keeps the change until its invoice is paid; otherwise ApplyChange makes it at
// once. ScheduleChange leaves it to the next Renew. With SetEnding the subscription ends at the end of its
// period: StepEnd instead of StepRenew. A change replaces the scheduled one when it is made; otherwise changes and
// an end exclude each other. CheckChange, CheckSchedule and CheckEnding return the reason why a request is refused.
//
// NewBill deducts a customer's credit from the lines of an invoice. QuoteStart, QuoteChange and QuoteSchedule
// return the same lines and amounts without changing anything, and the charge that follows.
//
// A ReturnedPayment computes how much of a refund or dispute is withdrawn from the customer's credit.
//
// # Accounts
//
// An Account is the billing of a whole customer: subscriptions, invoices, credit, payments and refunds. A provider loads it,
// calls Advance and a command, and stores it. Its Terms state how invoices are collected. Without Terms.Charging the customer
// pays by transfer, an operator records the payment, and orders can wait for an approval, as in adapters/invoicepayment. With
// Terms.Charging, invoices are charged through a service that only moves money, as in adapters/enginepayment. A provider that
// charges by itself, such as adapters/fakepayment, uses the parts above without an Account.
//
// # Attempts to charge an invoice
//
// The account keeps an Attempt for each payment. An attempt of 0 saves a payment method without a payment.
//
//	stored ─ Claim ─► claimed ─ Report ─► open ─ Cancel ─► canceling
//	  └ Cancel ─► canceled      └─────────┴──────────────────┴─► processing ─► failed, canceled, paid ─► returned
//
// A report never moves an attempt back, and paid supersedes failed and canceled. Money that no invoice needs becomes credit.
// The state of the attempt that is not over, or else of the latest attempt, decides how the account handles the invoice:
//
//	state            | Pay                      | next step of the subscription | End, DropPendingChange
//	stored           | Conflict                 | waits                         | cancel the attempt
//	claimed          | Conflict                 | waits                         | Conflict
//	open             | the same page, or        | cancels the attempt first     | wait until it is canceled
//	                 | cancels it first         |                               |
//	canceling        | Conflict                 | waits                         | Conflict
//	processing       | Conflict                 | waits                         | Conflict; End of a live subscription
//	                 |                          |                               | leaves the invoice owed
//	failed, canceled | begins another attempt   | happens                       | at once
//	returned         | begins another attempt   | happens, except for a retry   | at once
//	paid             | the invoice stays paid   | happens                       | at once
//
// A step that has waited happens at the time when it was due.
//
// Commands store attempts and do not send them. Due returns the requests to make at the service: the caller claims each
// attempt in a transaction, sends it after the commit, and reports the response of the service, at once or days later. It
// repeats this until Due is empty, immediately after a request of the customer and again at the time of NextAt.
//
//	Subscribe, ChangePrice, Pay, renewal ─► Due().Send ─ Claim ─► send ─ Report
//	unknown outcome ─► Due().Send again with the same key, or Due().Find ─ Report or ReportMissing
//	a page has to be canceled first ─► Due().Cancel ─ Report ─► the request or the step follows
//	RequestRefund ─► Due().Refund ─ ClaimRefund ─► send ─ ReportRefund
//	RemoveMethod ─► Due().ForgetMethods ─ ReportMethodForgotten
package engine
