// Package fakegateway is a payment provider in memory that only moves money, for tests of package gateway's users. A Bank
// is the provider: it has customers, payment methods, a ledger of payments, a payment page, webhooks, and the time of a
// clock. A Gateway is an adapter for it; several of them can share a Bank, as several servers do.
//
// The Behaviour of the account that is charged decides the outcome of a payment. The customer chooses the
// account on the payment page, or with a token in the browser. Bank.Gateway accepts a function that is called before and
// after each request, and that can return an error or panic: before, the request does not reach the bank; after, only its
// response is lost.
package fakegateway
