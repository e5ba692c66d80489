// Package fakegateway is a payment provider that only moves money, for development and for tests of code that uses package
// gateway. Its state is in memory (New) or in a file (Open). A Provider has customers, payment methods, a ledger of payments,
// a payment page, webhooks, and a clock. A Gateway implements gateway.Gateway with a Provider. Several gateways can share a
// Provider, as several servers do.
//
// The Behaviour of the charged account decides the outcome of a payment. The customer chooses the account on the
// payment page, or with a token in the browser. Provider.Gateway accepts a function that is called before and after
// each request and can return an error or panic. If the function fails before a request, the request does not reach the
// provider. If it fails after a request, the provider has acted and only the response is lost.
//
// Provider.BrowserAPI serves the API of the fake card field in the web app, which accepts the numbers of package testcards. The
// command uses it with DIY_PAYMENTS=fakegateway.
package fakegateway
