// Package sessionidentity answers who is asking with a cookie, and keeps passwords as argon2id
// hashes.
//
// A visit is one HTTP request that passed through Sessions.Middleware. A sign-in writes one record
// into the store, under the hash of a random token that only the browser's cookie holds; a
// sign-out deletes it. The record is never written again: a slow request that began before a
// sign-out has nothing with which it could bring the session back. When the browser was last seen
// stands in a record of its own, which is worth nothing without the first one.
//
//	visitor ──Start──► signed in ──Start──► signed in, new token, old one worthless
//	                      │
//	                      ├──End────────────────► visitor
//	                      ├──IdleLimit unseen───► visitor
//	                      └──AbsoluteLimit──────► visitor
//
// Visitors have no session and no session cookie. All limits run on the computer's own time, also
// where development moves the application's clock: moving it signs nobody out.
//
// XSRF proves that a request comes from a page of ours; see there.
package sessionidentity
