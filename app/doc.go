// Package app contains the use cases of the product: the organisation's customer and cards at a payment provider,
// and its subscription from the first purchase to plan changes and overdue invoices. The use cases for registering and
// signing in are in package accounts, and those for emails about billing in package notices. Each use case is a struct
// with a method Do; ReceiveEvent also has Apply, for events that did not arrive by webhook. New connects all of them with
// their ports, and any front end (an HTTP API, a command line, a job) can call them.
//
// Rules that need no port are in package domain. Errors are faults of package domain/fault. The code of a fault
// determines how to react, and its message can be shown to a user.
//
// # Requests to the payment provider
//
// Every request that changes something at the provider is an operation, so that it takes effect only once. Its use case
// calls operations.run, which has three steps:
//
//	begin: decide the actions ─► store the operation with its actions
//	send: send the actions, each with its own idempotency key ─► record the responses
//	settle: store the result of the operation
//
// The domain decides: billing.DecidePurchase and similar functions return the actions as data. Only actionSender
// (sender.go, sender_customer.go) sends actions. If the account's revision has changed since the decision, begin does not
// store the operation and decides the request again. If the outcome of the request is unknown, the operation is not
// settled.
//
// After a crash or a timeout the operation stays pending. A repeat of the same request joins it and sends the same
// actions again. Any other request for the same kind of operation is refused until the operation is old enough to be
// taken over, by the next request or by Reconcile (takeover.go). A takeover retires the keys of all actions
// (payment.Fence), so that no delayed request can act any more, reads the provider's report, and settles the operation
// with the subscription that the report shows as its result. If no action can charge, it completes the actions instead.
// The age of an operation is measured with the database's clock, and decides only when a takeover is tried. A request
// stops when the provider refuses its key as retired. No database transaction is open during a call to the provider.
//
// Two requests that can't charge are not stored as operations: the Retire of a takeover, and LiftHold, whose key is the id
// of the operator's stored action.
//
// # The copy of a subscription
//
// The database contains a copy of each organisation's subscriptions. ReceiveEvent refreshes it after an event,
// DescribeUser before it shows a stale copy, and RefreshBilling at intervals. All of them use billingSync (sync.go),
// which runs one refresh per organisation at a time and never replaces a newer report with an older one.
package app
