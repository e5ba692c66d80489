package storagetest

import (
	"testing"
	"time"

	"github.com/vc-admin/diy/ports/storage"
)

// Harness lets the suite have stores of one kind.
type Harness struct {
	// Open returns a store that is empty and ready, and closes it when the test ends.
	Open func(t *testing.T) storage.Store
	// Join opens one more store on the data of a store that Open returned, as a second server
	// does, or the same server after a restart. nil: the data can't be reached from outside.
	Join func(t *testing.T, s storage.Store) storage.Store
	// UseClock has a store count the ages of operations by another clock than the database's.
	UseClock func(t *testing.T, s storage.Store, now func() time.Time)
	// Close closes a store before its time. nil: it can't be closed.
	Close func(t *testing.T, s storage.Store)
}

// doors are the ways to one store's data: the store and, where there can be one, another on the
// same data. A race goes through all of them.
func (h Harness) doors(t *testing.T, s storage.Store) []storage.Store {
	if h.Join == nil {
		t.Log("the harness declares that its data has one door only")
		return []storage.Store{s}
	}
	return []storage.Store{s, h.Join(t, s)}
}
