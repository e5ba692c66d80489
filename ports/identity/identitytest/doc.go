// Package identitytest is the suite that every adapter of ports/identity passes: RunSessions for
// who is signed in, RunPasswords for the keeping of passwords.
package identitytest
