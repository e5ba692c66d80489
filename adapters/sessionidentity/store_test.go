package sessionidentity

import (
	"errors"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2/memstore"
)

var errStore = errors.New("store: disk I/O error")

// fragile is a store that can be told to fail, and that counts its writes.
type fragile struct {
	*memstore.MemStore

	mu                         sync.Mutex
	noFind, noCommit, noDelete bool
	commits                    []string // the tokens, as the store got them
}

func newFragile() *fragile { return &fragile{MemStore: memstore.NewWithCleanupInterval(0)} }

func (f *fragile) Find(token string) ([]byte, bool, error) {
	if f.noFind {
		return nil, false, errStore
	}
	return f.MemStore.Find(token)
}

func (f *fragile) Commit(token string, data []byte, expiry time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.noCommit {
		return errStore
	}
	f.commits = append(f.commits, token)
	return f.MemStore.Commit(token, data, expiry)
}

func (f *fragile) Delete(token string) error {
	if f.noDelete {
		return errStore
	}
	return f.MemStore.Delete(token)
}
