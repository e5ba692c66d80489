// Package flows proves the use cases together with what they run on in development: the SQLite
// database, the embedded payment provider with its clock, argon2id passwords and the mailbox. It
// holds tests only; what worlds are made of is in package flowtest.
//
// A test builds a world (world_test.go), lets people do things in it and asks in the end whether
// it is sound (sound_test.go): one customer, one live subscription, nothing paid twice, and nothing
// going on at the provider that we don't know of. A tap (tap_test.go) on one server's ports lets
// tests fail, end or interrupt that server at every single call.
package flows
