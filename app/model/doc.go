// Package model is a property test of the use cases around billing. It contains only tests.
//
// rapid draws a sequence of actions of organisations, their browsers, the provider and the clock, during which calls
// to the provider fail and servers are killed, and shrinks a sequence that violates a property. Some payments are
// made from bank accounts: they arrive or fail after days, or are returned later. After every step the invariants
// are checked (invariants_test.go). A request without faults must have the result that the rules derive from the
// provider's state (rules_test.go). Once everything is settled, the stored copy must equal the provider's state.
//
// `go test` makes a few draws, `make model` thousands; RAPID_CHECKS sets the number.
package model
