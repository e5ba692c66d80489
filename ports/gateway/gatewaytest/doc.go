// Package gatewaytest is the conformance suite of package gateway. It checks only documented behaviour.
//
// The test of an adapter calls [Run] with a function that returns a [Harness]: a new gateway, and functions that act for
// the customer, the bank and the operator. The gateway declares its missing capabilities: a request that needs one of them
// must be Unsupported, and the behaviours that need it are skipped with the declared reason. Harness.Missing declares
// functions and accounts that the test environment lacks; the behaviours that need them are skipped, too. All other
// behaviours must pass.
package gatewaytest
