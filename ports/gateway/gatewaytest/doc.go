// Package gatewaytest is the conformance suite of package gateway. It checks the documented behaviour and nothing else.
//
// The test of an adapter calls [Run] with a function that returns a [Harness]: a new gateway, and functions that act for
// the customer, the bank and the operator. A request that needs a capability which the gateway declares missing must be
// Unsupported, and the behaviours that need it are skipped with the reason; all others must pass. Harness.Missing declares
// what the test environment lacks, and the behaviours that need it are skipped in the same way.
package gatewaytest
