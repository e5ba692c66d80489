package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// takeLeaseSQL takes a lease that is free or has expired, and returns its new token. A lease that ends much
	// later than a new one was taken while the database's clock was wrong, and counts as expired.
	takeLeaseSQL = `INSERT INTO leases (name, token, expires_at) VALUES (?, 1, ?)
		ON CONFLICT (name) DO UPDATE SET token = leases.token + 1, expires_at = excluded.expires_at
		WHERE leases.expires_at <= ? OR leases.expires_at > ? RETURNING token`
	releaseLeaseSQL = "UPDATE leases SET expires_at = ? WHERE name = ? AND token = ?"
	selectLeaseSQL  = "SELECT token FROM leases WHERE name = ?"

	releaseTimeout = 5 * time.Second
)

// lease allows one server at a time to do some work. Each time a server takes the lease, the token increases.
type lease struct {
	name  string
	token int64
}

type leaseKey struct{}

// RunLeased calls fn, unless another server holds the lease with the name, and reports whether it called fn. The lease
// and fn's context expire after ttl. The expiry of the lease is measured with the database's clock, so a server that hung
// or whose clock is wrong can miss it. Once another server has taken the lease, Database.Write with fn's context returns
// Conflict.
func (s *Store) RunLeased(ctx context.Context, name string, ttl time.Duration, fn func(context.Context) error) (ran bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, ttl)
	defer cancel()
	l := lease{name: name}
	err = s.write(ctx, func(c conn) error {
		now, err := s.databaseTime(ctx, c)
		if err != nil {
			return err
		}
		return c.get(ctx, "lease", &l.token, takeLeaseSQL,
			name, newTimestamp(now.Add(ttl)), newTimestamp(now), newTimestamp(now.Add(2*ttl)))
	})
	switch {
	case fault.Is(err, fault.NotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	defer s.releaseLease(context.WithoutCancel(ctx), l)
	return true, fn(context.WithValue(ctx, leaseKey{}, l))
}

// releaseLease ends the lease, so that another server can take it immediately. If releaseLease fails, the lease ends when
// it expires.
func (s *Store) releaseLease(ctx context.Context, l lease) {
	ctx, cancel := context.WithTimeout(ctx, releaseTimeout)
	defer cancel()
	_ = s.write(ctx, func(c conn) error {
		now, err := s.databaseTime(ctx, c)
		if err != nil {
			return err
		}
		_, err = c.exec(ctx, releaseLeaseSQL, newTimestamp(now), l.name, l.token)
		return err
	})
}

// checkLease returns Conflict if ctx belongs to a lease that another server has taken. Otherwise no other server
// can take the lease until the transaction ends.
func (c conn) checkLease(ctx context.Context) error {
	l, ok := ctx.Value(leaseKey{}).(lease)
	if !ok {
		return nil
	}
	var token int64
	if err := c.get(ctx, "lease", &token, selectLeaseSQL+c.forUpdate, l.name); err != nil {
		return err
	}
	if token != l.token {
		return fault.New(fault.Conflict, "Another server has taken over this work")
	}
	return nil
}
