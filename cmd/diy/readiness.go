package main

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/fault"
)

// readyPatience is how long the database may take to say that it is there.
const readyPatience = 3 * time.Second

// readiness knows whether requests should be sent here.
type readiness struct {
	store    *sqlstorage.Store
	stopping atomic.Bool
}

func newReadiness(store *sqlstorage.Store) *readiness { return &readiness{store: store} }

// check returns nil while requests can be served: the server does not stop, and the database is
// there, has its tables and can be written to.
func (r *readiness) check(request *http.Request) error {
	if r.stopping.Load() {
		return fault.New(fault.Unavailable, "The server is stopping")
	}
	ctx, cancel := context.WithTimeout(request.Context(), readyPatience)
	defer cancel()
	if err := r.store.Ready(ctx); err != nil {
		return err
	}
	return r.store.Writable(ctx)
}
