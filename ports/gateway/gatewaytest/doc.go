// Package gatewaytest is the conformance suite of package gateway. It checks the documented behaviour and nothing else.
//
// The test of an adapter calls [Run] with a function that returns a [Harness]: a new gateway, and what the suite needs
// around it, such as a customer at the payment page and the ledger of the bank. What the gateway declares as missing in
// its Capabilities must return Unsupported, and the behaviours that need it are skipped with the reason; everything else
// must pass. What the test environment can't do is declared in Harness.Missing and skipped in the same way.
package gatewaytest
