package sqlstorage

import (
	"context"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// dialect is what one kind of database does differently.
type dialect struct {
	goose      goose.Dialect
	migrations string // the folder of its migrations

	// lock ends a SELECT whose rows the transaction is about to change. It is empty where a
	// writing transaction has the whole database to itself.
	lock string
	// lockFree is lock that passes over rows which others hold.
	lockFree string
	// now reads the clock of the database. It is empty where that is the server's.
	now string
	// classify tells what a driver's error means.
	classify func(error) failure
	// turns lets one server migrate at a time. It is nil where the file of the database does.
	turns lock.SessionLocker
	// writable finds out whether there is room and leave to write.
	writable func(context.Context, *Store) error
}

// failure is what a driver's error means to us.
type failure int

const (
	failureOther      failure = iota
	failureUnique             // a value that may be there once is there already
	failureForeignKey         // the row that this one belongs to does not exist
	failureText               // a text holds a character that has no place in the database
	failureTransient          // the database can't be reached, is busy, or gave up
	failureUndone             // the database undid the transaction to let another one pass
	failureLost               // the connection broke; unless it was committing, nothing was done
)
