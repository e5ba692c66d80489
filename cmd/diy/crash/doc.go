// Package crash proves that the server may be killed at any moment. It holds tests only.
//
// The real server, built with the tag crashpoints, runs on a database of its own while several
// people register, save cards, subscribe and change plans, as browsers would have it. It is killed
// again and again: at random moments from outside, and at named points (before and after each
// change of the database and each request to the payment provider) by itself. After every start
// each person finds what was acknowledged, sends again what had no answer, and goes on. Now and
// then, and in the end, everything is compared: what was acknowledged, the database, and the
// provider's own books.
//
// There are two kinds of provider. The fake one is part of the server and is killed with it. The
// local Stripe is not: there it happens that the provider has acted and the server is gone.
//
// Other tests leave the server alone and trouble its database instead: connections are cut, another
// program locks it, it is away, its disk is full. The server has to come back by itself.
//
//	go test ./cmd/diy/crash -run Kill -kills 300 -seed 7
package crash
