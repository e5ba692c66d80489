// Package fakegateway is a payment provider in memory that only moves money, for tests of package gateway's users. A Provider
// has customers, payment methods, a ledger of payments, a payment page, webhooks, and the time of a clock. A Gateway is an
// adapter for it. Several gateways can share a Provider, as several servers do.
//
// The Behaviour of the account that is charged decides the outcome of a payment. The customer chooses the account on the
// payment page, or with a token in the browser. Provider.Gateway accepts a function that is called before and after each
// request, and that can return an error or panic: before, the request does not reach the provider; after, only its response
// is lost.
package fakegateway
