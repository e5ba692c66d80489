// Package devclock is the clock of development and tests: the computer's time plus an offset that
// only grows. Moving it moves the whole application and the embedded payment provider, so that a
// trial's end is a click away. The offset is kept in a small file, beside the database, because
// what was done in the future must not lie ahead of the clock after a restart.
package devclock
