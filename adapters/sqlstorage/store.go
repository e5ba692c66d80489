package sqlstorage

import (
	"errors"
	"os"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/ports/storage"
)

var _ storage.Store = (*Store)(nil)

// Store is a storage.Store in an SQL database.
type Store struct {
	writes  *sqlx.DB
	reads   *sqlx.DB
	dialect *dialect
	newest  int64 // the version that the migrations lead to
	closed  atomic.Bool
	claim   *os.File // the lock of the only server on a file; nil without a claim

	patience time.Duration    // of transactions that wait for their beginning
	now      func() time.Time // instead of the database's clock, see UseClock
}

func newStore(writes, reads *sqlx.DB, d *dialect) (*Store, error) {
	s := &Store{writes: writes, reads: reads, dialect: d, patience: beginPatience}
	provider, err := migrator(writes.DB, d)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.newest = newestVersion(provider)
	return s, nil
}

// Close ends every connection and the claim of ClaimServer. Calls after it are Unavailable.
func (s *Store) Close() error {
	s.closed.Store(true)
	return errors.Join(s.end(s.reads), s.end(s.writes), s.release())
}

// end closes a pool. Connections that broke have ended already: over TLS, closing one fails.
func (s *Store) end(pool *sqlx.DB) error {
	if err := pool.Close(); s.dialect.classify(err) != failureLost {
		return err
	}
	return nil
}
