// Package model is a property test of the use cases around billing. It contains only tests.
//
// rapid draws a sequence of actions of organisations, browsers, the provider and the clock, and shrinks a sequence that
// violates a property. Calls to the provider fail, and servers are killed. Payments from bank accounts arrive or fail
// after days, and some are returned after they have arrived. The test checks the invariants after every step
// (invariants_test.go). The result of a request without faults must be the one that the rules derive from the provider's
// state (rules_test.go). When all work is completed, the stored copy must equal the provider's state.
//
// `go test` draws a few sequences, and `make model` draws thousands. RAPID_CHECKS sets the number.
package model
