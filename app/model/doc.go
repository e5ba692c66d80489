// Package model has organisations, browsers, the provider's desk and the passing of time do
// anything in any order, with calls to the provider failing and servers dying on the way, and holds
// what comes of it against what must always be true. It holds tests only.
//
// rapid draws what happens and, when something is not true, finds the shortest way there. After
// every step the provider's books are looked at (invariants_test.go); a request that nothing
// disturbed must be answered as the rules say (rules_test.go), worked out from the provider's books
// and not from our copy; and when everything has come to rest our copy must be the truth
// (rest_test.go).
//
// The usual run is a short one. `make model` draws thousands; RAPID_CHECKS says how many.
package model
