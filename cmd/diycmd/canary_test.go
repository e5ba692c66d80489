package diycmd

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

// The canaries: texts so odd that wherever one is found it came from the request that carried it.
const (
	canaryEmail    = "canary-mail@example.test"
	canaryPassword = "Canary-password-7391"
	canaryWrong    = "Canary-wrong-guess-5517"
	canaryPhone    = "+61 2 7391 5517"
	canaryName     = "Canarybird"
	canaryOrg      = "Canary Islands Clinic"
	canaryStreet   = "1 Canary Wharf"
	canaryNumber   = "4000002500003155"
	canaryCVC      = "90817"
	canaryHeader   = "Canary-header-4410" // in a query, and in headers that name other pages and programs
)

// flown is what the walk left behind: every text the server wrote, by where it wrote it. The mailbox
// is left out: it stands for the people's own.
type flown struct {
	rows, files            string // the database, and its files where there are any
	books                  string // the payment provider's
	log, metrics           string
	answers, failures      string
	verification           []string // tokens out of emails
	cookies, clientSecrets []string
}

// Nothing secret stays behind, and what names a person stays where it belongs: in the database, in
// emails, in answers to that person, and at the payment provider.
func TestSecretsAreNowhereToBeFound(t *testing.T) {
	folder := t.TempDir()
	f := flyCanaries(t, "sqlite:"+filepath.Join(folder, "diy.db"))
	f.readFiles(t, folder)
	f.readTables(t, "sqlite", filepath.Join(folder, "diy.db"), `SELECT name FROM sqlite_master WHERE type = 'table'`)
	f.assertClean(t)
}

// PostgreSQL quotes in its errors what it refuses.
func TestSecretsAreNowhereToBeFoundOnPostgres(t *testing.T) {
	database := postgrestest.URL(t)
	f := flyCanaries(t, database)
	f.readTables(t, "pgx", database, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
	f.assertClean(t)
}

func (f flown) assertClean(t *testing.T) {
	t.Helper()
	everywhere := map[string]string{
		"database": f.rows, "files": f.files, "books": f.books, "log": f.log, "metrics": f.metrics, "answers": f.answers, "failures": f.failures,
	}
	forOperators := map[string]string{"log": f.log, "metrics": f.metrics, "failures": f.failures}
	inside := map[string]string{"log": f.log, "metrics": f.metrics, "failures": f.failures, "database": f.rows}

	assertNowhere(t, everywhere, canaryPassword, canaryWrong, canaryNumber, canaryCVC, canaryHeader)
	assertNowhere(t, everywhere, f.cookies...)
	assertNowhere(t, inside, f.verification...) // the emails that carried them have left the outbox
	assertNowhere(t, inside, f.clientSecrets...)
	personal := []string{canaryEmail, canaryPhone, canaryName, canaryOrg, canaryStreet}
	assertNowhere(t, forOperators, personal...)
	for _, canary := range personal {
		assert.Contains(t, f.rows, canary, "the canary flew there, so it would have been found elsewhere")
	}
	for _, canary := range append(f.clientSecrets, canaryEmail, canaryPhone) {
		assert.Contains(t, f.answers, canary, "as above")
	}
}

// assertNowhere fails for every canary that sits in one of the places.
func assertNowhere(t *testing.T, places map[string]string, canaries ...string) {
	t.Helper()
	require.NotEmpty(t, canaries)
	for place, text := range places {
		for _, canary := range canaries {
			require.Greater(t, len(canary), 4, "too short to be told from anything else")
			assert.NotContains(t, text, canary, place)
		}
	}
}
