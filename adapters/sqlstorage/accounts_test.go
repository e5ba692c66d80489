package sqlstorage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
)

// countingConnector opens connections that count their queries and transactions.
type countingConnector struct {
	driver.Connector
	count *atomic.Int64
}

func (c countingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	base, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return countingConn{base.(driverConn), c.count}, nil
}

type countingConn struct {
	driverConn
	count *atomic.Int64
}

func (c countingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.count.Add(1)
	return c.driverConn.QueryContext(ctx, query, args)
}

func (c countingConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	c.count.Add(1)
	return c.driverConn.BeginTx(ctx, options)
}

// newCountingStore returns a store, a user whose organisation has two subscriptions, and the number of queries and
// transactions in the store's read pool.
func newCountingStore(t *testing.T) (s *Store, ada account.User, count *atomic.Int64) {
	t.Helper()
	url := newMigratedSQLiteURL(t)
	s = openAndMigrate(t, url)
	ada = signUp(t, s, "ada", noon)
	_, err := s.UpdateOrganisation(t.Context(), ada.OrganisationID, func(o *account.Organisation) error {
		o.Billing.CustomerID = "customer"
		o.Billing.Subscriptions = []billing.Subscription{
			{ID: "new", Status: billing.Active, CreatedAt: noon.Add(time.Hour)}, {ID: "old", Status: billing.Canceled, CreatedAt: noon},
		}
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, s.Sessions().AddSession(t.Context(), newSession(ada, "laptop")))
	connector, err := newSQLiteConnector(sqliteDSN(pathFromURL(url), "_pragma=query_only(1)"))
	require.NoError(t, err)
	require.NoError(t, s.readPool.Close())
	count = new(atomic.Int64)
	s.readPool = sqlx.NewDb(sql.OpenDB(countingConnector{connector, count}), sqliteDriver)
	return s, ada, count
}

// TestAccountReads_AreSingleQueries covers the reads of most requests of signed-in users. PostgreSQL runs the same
// statements.
func TestAccountReads_AreSingleQueries(t *testing.T) {
	s, ada, count := newCountingStore(t)
	for name, read := range map[string]func(ctx context.Context) error{
		"Sessions.Session": func(ctx context.Context) error {
			_, err := s.Sessions().Session(ctx, "laptop")
			return err
		},
		"UserWithOrganisation": func(ctx context.Context) error {
			_, org, err := s.UserWithOrganisation(ctx, ada.ID, ada.OrganisationID)
			assert.Len(t, org.Billing.Subscriptions, 2)
			return err
		},
		"Organisation": func(ctx context.Context) error {
			_, err := s.Organisation(ctx, ada.OrganisationID)
			return err
		},
		"OrganisationByCustomer": func(ctx context.Context) error {
			_, err := s.OrganisationByCustomer(ctx, "customer")
			return err
		},
		"Unreachable": func(ctx context.Context) error {
			_, err := s.Unreachable(ctx, "org", "ada@example.test", "accounts@example.test")
			return err
		},
	} {
		countBefore := count.Load()
		require.NoError(t, read(t.Context()), name)
		assert.EqualValues(t, 1, count.Load()-countBefore, name)
	}
}
