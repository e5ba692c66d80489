// Package paymenttest is the conformance suite of package payment. It checks only documented behaviour.
//
// The test of an adapter calls [Run] with a function that returns a [Harness]: a new provider and its test
// environment, such as a browser that confirms payments or visits a hosted checkout. Requests that need a
// capability that the provider declares as missing must return Unsupported, and the suite skips the behaviours that
// need it, with the reason. Harness.Missing declares what the environment can't do; the suite skips these behaviours,
// too. All others must pass.
//
// The suite needs a catalogue with the plans standard and professional, monthly and yearly, in AUD and
// USD, in which professional costs more than standard, and a year more than a month, as in
// catalogue.Default.
package paymenttest
