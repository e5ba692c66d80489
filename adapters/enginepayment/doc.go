// Package enginepayment implements ports/payment with a provider that only moves money, a gateway.Gateway. All billing is
// that of an engine.Account, which package domain/engine computes and package adapters/ledger stores. This package sends
// what the account has to do at the gateway, and reports the results to it.
//
// # Sending
//
// What has to be done is part of the account: attempts to collect invoices or to save methods, refunds, cancellations. A
// request stores it in its transaction. Then, outside of any transaction, each attempt is claimed, sent under its key and
// its result stored. The same happens in the worker, for renewals and for what a server that stopped has left. A claimed
// attempt whose outcome is unknown is sent again under the same key while the gateway remembers it, and only looked up
// afterwards, so that an invoice is never debited twice.
//
// Webhooks and lists of changes only name payments. They are looked up at the gateway by the next read of the customer, or
// by the worker.
//
// # Pages
//
// At a gateway with payment.EntryRedirect the customer pays on a page. Its URL is a credential and is never stored: reading
// a subscription that waits for a payment looks it up, or opens a page if there is none.
package enginepayment
