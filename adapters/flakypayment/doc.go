// Package flakypayment is a payment provider that fails on purpose: it wraps any other one and has
// a plan decide, call by call, what goes wrong. It is for tests and for trying things out, and no
// part of the product.
//
//	provider := flakypayment.New(wrapped, flakypayment.Seeded(7, 0.2))
//
// A fault stands between the caller and the wrapped provider. It chooses whether the request has
// its effect now, later or never, and what the caller is told. Plans depend on nothing but the
// number and the name of a call, so the same calls fail in the same way on every run.
//
// To the port almost everything is alike: whoever hears nothing, a 500, a 429 or a 409 for a key
// that is in use knows nothing, and that is Unavailable. The kinds differ in what has happened at
// the provider, which is what the callers must not depend on.
package flakypayment
