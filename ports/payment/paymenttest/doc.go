// Package paymenttest is the suite that every adapter of ports/payment passes. It asks for what
// the port promises and for nothing else, so that a provider may have habits of its own.
//
// An adapter's test hands Run a function that makes a Harness: a provider nobody has used yet, and
// what the suite needs of the world around it, above all somebody at a browser. What a harness
// can't offer it declares with a reason; the suite lists what is not proved because of it.
//
// The suite buys the plans standard and professional, monthly and yearly, in AUD and USD; the
// professional costs more than the standard, and a year more than a month.
package paymenttest
