// Package paymenttest is the conformance suite of package payment. It checks the documented
// behaviour and nothing else.
//
// The test of an adapter calls [Run] with a function that returns a [Harness]: a new provider, and what
// the suite needs around it, such as a browser that confirms payments or visits a hosted checkout. What
// the provider declares as missing in its Capabilities must return Unsupported, and the behaviours that
// need it are skipped with the reason; everything else must pass. What the test environment can't do is declared in
// Harness.Missing and skipped in the same way.
//
// The suite needs a catalogue with the plans standard and professional, monthly and yearly, in AUD and
// USD, in which professional costs more than standard, and a year more than a month, as in
// catalogue.Default.
package paymenttest
