// Package paymenttest is the conformance suite of package payment. It checks only documented behaviour.
//
// The test of an adapter calls [Run] with a function that returns a [Harness]: a new provider and its test
// environment, such as a browser that confirms payments or visits a hosted checkout. The provider declares its
// missing capabilities: requests that need a missing capability must return Unsupported, and the suite skips the
// behaviours that need it and logs the reason. Harness.Missing declares what the environment can't do; the suite also
// skips the behaviours that need that. All other behaviours must pass.
//
// The suite needs a catalogue with monthly and yearly prices of the plans standard and professional in AUD and USD.
// The professional plan must cost more than the standard plan, and a year more than a month. catalogue.Default is
// such a catalogue.
package paymenttest
