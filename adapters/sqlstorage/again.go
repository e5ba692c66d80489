package sqlstorage

import (
	"context"
	"errors"
)

// tries is how often something is done that the database undoes. Connections that broke may all
// be tried in turn before there is a fresh one.
const tries = 10

// again does work until it is done, fails for good or was tried often enough. Nothing is waited
// for in between: what it collides with holds locks, and those are waited for.
func (d *dialect) again(ctx context.Context, work func() error) error {
	err := work()
	for more := tries - 1; more > 0 && ctx.Err() == nil && d.undone(err); more-- {
		err = work()
	}
	return err
}

// undone reports that the database made nothing of what failed, and that another try may go well.
func (d *dialect) undone(err error) bool {
	if err == nil {
		return false
	}
	_, unknown := errors.AsType[unsettled](err)
	switch d.classify(err) {
	case failureUndone:
		return true
	case failureLost:
		return !unknown
	default:
		return false
	}
}
