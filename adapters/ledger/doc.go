// Package ledger stores the billing of customers, an engine.Account each, in the application's database. It is a library
// of the payment adapters that bill with package domain/engine: adapters/invoicepayment and adapters/enginepayment.
//
// A request that changes the account locks the row of its customer. Such requests of a customer are therefore processed
// one at a time, on any number of servers. A request reads only the invoices that the account needs, and stores its
// response by key in the same transaction. Every request first processes the due steps of its customer; [Ledger.Tick]
// processes those of all customers. The ledger counts changes that the application did not request, and Tick reports
// them until the application has stored them.
//
// # Tables
//
// The adapter creates the tables in its migrations. The names of the tables begin with the adapter's prefix, "invoice_"
// here. Documents are JSON, and times are seconds since 1970.
//
//	invoice_customers     id, organisation_id, created_at, next_at, document, changes, reported, failures
//	invoice_subscriptions id, customer_id, position, document
//	invoice_invoices      id, number, customer_id, subscription_id, renewal_of, status, document
//	invoice_numbers       name, last
//	invoice_responses     see tables.Keys
package ledger
