// Package ledger stores the billing of customers, an engine.Account each, in the application's database. It is a library
// of the payment adapters that bill with package domain/engine: adapters/invoicepayment and adapters/enginepayment.
//
// Each request that changes something locks the row of its customer, so that such requests are processed one at a time, on
// any number of servers. A request reads only the invoices that the account needs, however many there are. Its response is
// stored by key in the same transaction. Every request first processes what is due for its customer; [Ledger.Tick] does so
// for all customers. A change that the application did not request is counted in the transaction that makes it, and Tick
// reports it until the application has stored it.
//
// # Tables
//
// The adapter creates the tables in its migrations. Their names begin with its prefix, "invoice_" here. Documents are
// JSON, times are seconds since 1970.
//
//	invoice_customers     id, organisation_id, created_at, next_at, document, changes, reported, failures
//	invoice_subscriptions id, customer_id, position, document
//	invoice_invoices      id, number, customer_id, subscription_id, renewal_of, status, document
//	invoice_numbers       name, last
//	invoice_responses     see tables.Keys
package ledger
