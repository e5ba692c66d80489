package diycmd

import (
	"io"
	"io/fs"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/invoicepayment"
)

// productionSettings returns valid settings of a production server with the database.
func productionSettings(database string) map[string]string {
	return map[string]string{
		"DIY_ENV": "production", "DIY_ADDR": "127.0.0.1:0", "DIY_PUBLIC_URL": "https://diy.example", "DIY_DATABASE_URL": database,
		"DIY_SMTP_URL": "smtp://127.0.0.1:25", "DIY_MAIL_FROM": "diy@diy.example", "DIY_PAYMENTS": "stripe",
		"DIY_STRIPE_SECRET_KEY": "sk_live_secret", "DIY_STRIPE_PUBLISHABLE_KEY": "pk_live_public",
		"DIY_STRIPE_WEBHOOK_SECRET": "whsec_secret",
	}
}

func TestServe_ProductionRequiresAMigratedDatabase(t *testing.T) {
	env := productionSettings("sqlite:" + filepath.Join(t.TempDir(), "diy.db"))
	for _, args := range [][]string{nil, {"license", "dev", "--org", "org_unknown", "--reason", "partner", "--ticket", "T-1"}} {
		var stderr strings.Builder
		assert.Equal(t, 1, run(t.Context(), env, &stderr, args...))
		assert.Contains(t, stderr.String(), "run `diy migrate` first")
		assert.NotContains(t, stderr.String(), "could not build", "the message contains no error of fx")
	}

	require.Zero(t, run(t.Context(), env, io.Discard, "migrate"))
	c, err := loadConfig(env)
	require.NoError(t, err)
	store, err := openStore(t.Context(), c)
	require.NoError(t, err)
	require.NoError(t, store.Close())
}

// slowMigrations takes longer than the start timeout.
type slowMigrations struct{ invoicepayment.Adapter }

func (s slowMigrations) Migrations() fs.FS {
	time.Sleep(2 * startTimeout) //nolint:forbidigo // in a synctest bubble
	return s.Adapter.Migrations()
}

func TestOpenMigratedStore_IsNotLimitedByTheStartTimeout(t *testing.T) {
	c, err := loadConfig(devSettings(t))
	require.NoError(t, err)
	c.integrations = map[string]paymentIntegration{c.Payments: pluginIntegration{slowMigrations{}}}
	synctest.Test(t, func(t *testing.T) {
		store, err := openMigratedStore(t.Context(), c)
		require.NoError(t, err)
		require.NoError(t, store.Close())
	})
}

func TestConfig_DoesNotQuoteAnInvalidDatabaseURL(t *testing.T) {
	for _, url := range []string{
		"postgres://ada:s3cr3t@", "postgres://ada:s3/cr3t@host/diy", "mysql://ada:s3cr3t@host/diy", "sqlite:", "diy.db",
	} {
		var stderr strings.Builder
		env := map[string]string{"DIY_DATABASE_URL": url, "DIY_ENV": "staging"}
		assert.Equal(t, 2, run(t.Context(), env, &stderr))
		assert.Contains(t, stderr.String(), "DIY_DATABASE_URL: ")
		assert.Contains(t, stderr.String(), "DIY_ENV", "all problems are reported together")
		assert.NotContains(t, stderr.String(), "cr3t")
	}
}

func TestServe_ReportsAnUnreachableDatabaseWithoutItsPassword(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{nil, {"migrate"}} {
		var stderr strings.Builder
		env := map[string]string{"DIY_ADDR": "127.0.0.1:0", "DIY_DATABASE_URL": "postgresql://ada:s3cr3t@127.0.0.1:1/diy"}
		assert.Equal(t, 1, run(t.Context(), env, &stderr, args...))
		assert.Contains(t, stderr.String(), "The database can't be opened")
		assert.NotContains(t, stderr.String(), "s3cr3t")
	}
}

func TestDevFile_IsBesideTheDatabase(t *testing.T) {
	for url, want := range map[string]string{
		"sqlite:data/diy.db":                "data/diy.db.clock",
		"sqlite:/var/lib/diy/diy.db":        "/var/lib/diy/diy.db.clock",
		"postgres://ada:s3cr3t@host/clinic": "data/postgres.clock",
		"postgresql://host/clinic":          "data/postgres.clock",
	} {
		c, err := loadConfig(map[string]string{"DIY_DATABASE_URL": url})
		require.NoError(t, err)
		assert.Equal(t, want, filepath.ToSlash(c.devFile("clock")))
	}
}

func TestServe_RefusesASecondServerOnAnSQLiteFile(t *testing.T) {
	database := newSQLiteURL(t)
	first := startServer(t, database)
	env := map[string]string{"DIY_ADDR": "127.0.0.1:0", "DIY_DATABASE_URL": database}
	var stderr strings.Builder

	assert.Equal(t, 1, run(t.Context(), env, &stderr, "serve"))
	assert.Contains(t, stderr.String(), "Another server is running on "+strings.TrimPrefix(database, "sqlite:"))

	for _, command := range [][]string{{"migrate"}, {"license", "dev", "--org", "org_unknown", "--reason", "partner", "--ticket", "T-1"}} {
		stderr.Reset()
		run(t.Context(), env, &stderr, command...)
		assert.NotContains(t, stderr.String(), "Another server", "%v runs beside a server", command)
	}
	assert.Equal(t, http.StatusOK, getStatus(t, first.url+"/readyz"))
}
