// Package gatewaytest is the conformance suite of package gateway. It checks only documented behaviour.
//
// The test of an adapter calls [Run] with a function that returns a [Harness]: a new gateway, and functions that act for
// the customer, the bank and the operator. The gateway declares its missing capabilities: requests that need a missing
// capability must return Unsupported, and the suite skips the behaviours that need it and logs the declared reason.
// Harness.Missing declares functions and accounts that the test environment lacks. The suite also skips the behaviours
// that need those. All other behaviours must pass.
package gatewaytest
