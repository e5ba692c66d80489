// Package sessionidentity implements ports/identity with cookie sessions and argon2id password hashes,
// and provides XSRF tokens and known-browser cookies.
//
// Sessions.Middleware loads the session of each HTTP request. A sign-in writes one record to the store,
// under the hash of a random token that only the browser's cookie contains; a sign-out deletes it. The
// record is never updated, so a slow request that began before a sign-out cannot restore the session. The
// time of the last request is stored in a separate record, which is useless without the session.
//
//	signed out ──Start──► signed in ──Start──► signed in with a new token, the old one is invalid
//	                          │
//	                          ├──End────────────────► signed out
//	                          ├──IdleLimit idle  ───► signed out
//	                          └──AbsoluteLimit──────► signed out
//
// A browser that is signed out has no session and no session cookie. All limits use the real clock, even
// when development moves the application's clock, so that moving it does not end sessions.
package sessionidentity
