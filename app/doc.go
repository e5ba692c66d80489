// Package app contains the use cases of the product: the organisation's customer and cards at a payment provider,
// and its subscription from the first purchase to plan changes and overdue invoices. The use cases for registering and
// signing in are in package accounts, those for a user's own account in package security, those for members and invitations
// in package members, those for emails about billing in package notices, those for the audit log in package auditlog, and
// those for operators in package operators. Each use case is a struct with a method Do; ReceiveEvent also has Apply, for
// events that did not arrive by webhook. New connects all of them with their ports, and any front end (an HTTP API, a
// command line, a job) can call them.
//
// Rules that need no port are in package domain. Errors are faults of package domain/fault. The code of a fault
// determines how to react, and its message can be shown to a user.
//
// # Requests to the payment provider
//
// Every request that changes something at the provider is an operation, so that it takes effect only once. Its use case
// describes the request, and operation.Runner runs it. The domain decides: billing.DecidePurchase and similar functions
// return the actions as data. Only package operation sends actions.
//
// Only the Retire of a takeover is not stored as an operation.
//
// # The copy of a subscription
//
// The database contains a copy of each organisation's subscriptions. ReceiveEvent refreshes it after an event,
// DescribeUser before it shows a stale copy, and RefreshBilling at intervals. All of them use billingsync.Sync.
package app
