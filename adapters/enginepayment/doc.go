// Package enginepayment implements ports/payment with a provider that only moves money, a gateway.Gateway. Package
// domain/engine computes the billing of a customer, an engine.Account, and package adapters/ledger stores it. This package
// sends the requests in the account's outbox to the gateway, and updates the account with their results.
//
// # Sending
//
// The outbox of an account contains attempts to collect invoices or to save methods, refunds, and cancellations. The
// transaction of a request stores them. Then the server claims each attempt, sends it with its key outside of any
// transaction, and stores the result. The worker sends attempts of renewals, and requests that another server has not
// finished, in the same way. If the outcome of a claimed attempt is unknown, the server sends it again with the same
// key until the gateway's KeyRetention has passed. Afterwards the server only looks the attempt up, so that an invoice
// is never debited twice.
//
// Webhooks and lists of changes only contain the references of payments. ParseEvents looks the payments of a signed
// webhook up at the gateway, and the worker all others. PayInvoice also looks up the payments of its customer that are not
// looked up yet. Reads return the stored account and never call the gateway, except Subscription of a gateway with a card
// field.
//
// # Pages
//
// The customer enters payment methods on a page of the gateway. The page's URL is a credential and is never stored. A
// request that changes a subscription with an open payment, such as PayInvoice, reads the URL from the gateway, or opens a
// page if there is none.
//
// # Cards
//
// For a gateway with a card field, the id of a method is the reference of a saved card or a token from the browser. Subscribe
// charges a token. AddCard saves the card of a token with an order of 0. The token then names the saved card, until the
// application has read the reference. A payment that the customer has to authenticate is an intent that requires an action.
// The browser completes it with the gateway's secret, which is never stored, or on a page of the gateway.
package enginepayment
