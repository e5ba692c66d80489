// Package sessionidentity implements ports/identity with cookie sessions and argon2id password hashes,
// and provides XSRF tokens and known-browser cookies.
//
// Sessions.Middleware loads the session of each HTTP request. A sign-in writes the session to the store, under the hash
// of a random token that only the browser's cookie contains. A sign-out deletes the session. Requests update only the
// session's time of last use and never insert a session, so a slow request that began before a sign-out can't restore the
// session.
//
//	signed out ──Start──► signed in ──Start──► signed in with a new token; the old token is invalid
//	                          │
//	                          ├──End────────────────► signed out
//	                          ├──IdleLimit──────────► signed out
//	                          └──AbsoluteLimit──────► signed out
//
// A browser that is signed out has no session and no session cookie. All limits use the real clock, so
// that no session ends when a developer moves the application's clock.
package sessionidentity
