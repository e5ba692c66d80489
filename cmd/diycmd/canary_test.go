package diycmd

import (
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

// The canaries are unique texts in requests. The tests search for them in everything that the server writes.
const (
	canaryEmail      = "canary-mail@example.test"
	canaryPassword   = "Canary-password-7391"
	canaryGuess      = "Canary-wrong-guess-5517"
	canaryPhone      = "+61 2 7391 5517"
	canaryName       = "Canarybird"
	canaryOrg        = "Canary Islands Clinic"
	canaryStreet     = "1 Canary Wharf"
	canaryCardNumber = "4000002500003155"
	canaryCVC        = "Canary-code-9081"   // not only digits, which may appear by chance
	canaryHeader     = "Canary-header-4410" // sent in headers such as Referer and in a query
	canaryDatabase   = "Canary-database-2206"
)

// workerLine and requestLine match the log lines of a worker and of a request, with their trace IDs.
var (
	workerLine  = regexp.MustCompile(`"msg":"background work","worker":"mail","done":[1-9],"request":"([A-Z0-9]{26})"`)
	requestLine = regexp.MustCompile(`(?m)^{"time":"[^"]+Z","level":"INFO","msg":"request",` +
		`"method":"POST","route":"/vc-admin/signup",.*"request":"([A-Z0-9]{26})"}$`)
)

// writtenData contains everything that the server wrote, except the development mailbox, which stands for the mailbox of
// the user.
type writtenData struct {
	audit                     string // the audit log
	rows, files               string // the content of the database; files for SQLite only
	payments                  string // the files of the payment provider
	log, metrics              string
	responses, errorResponses string
	verificationTokens        []string
	cookies, clientSecrets    []string
}

// Secrets must not be stored. Personal data may only be in the database, in emails, in responses to the user and at the
// payment provider.
func TestSecrets_DoNotLeakOnSQLite(t *testing.T) {
	folder := t.TempDir()
	data := useCanaries(t, "sqlite:"+filepath.Join(folder, "diy.db"))
	data.readFiles(t, folder)
	data.readTables(t, "sqlite", filepath.Join(folder, "diy.db"), `SELECT name FROM sqlite_master WHERE type = 'table'`)
	data.assertNoSecrets(t)
}

// PostgreSQL quotes values that it refuses in its errors.
func TestSecrets_DoNotLeakOnPostgres(t *testing.T) {
	database := strings.Replace(postgrestest.URL(t), "diy@", "diy:"+canaryDatabase+"@", 1)
	data := useCanaries(t, database)
	data.readTables(t, "pgx", database, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
	data.assertNoSecrets(t)
	assertNoLeak(t, map[string]string{"log": data.log, "metrics": data.metrics}, canaryDatabase)
}

func (d writtenData) assertNoSecrets(t *testing.T) {
	t.Helper()
	allPlaces := map[string]string{
		"database": d.rows, "files": d.files, "payments": d.payments, "log": d.log, "metrics": d.metrics,
		"responses": d.responses, "failures": d.errorResponses,
	}
	operatorPlaces := map[string]string{"log": d.log, "metrics": d.metrics, "failures": d.errorResponses}
	serverPlaces := map[string]string{"log": d.log, "metrics": d.metrics, "failures": d.errorResponses, "database": d.rows}

	assertNoLeak(t, allPlaces, canaryPassword, canaryGuess, canaryCardNumber, canaryCVC, canaryHeader)
	assertNoLeak(t, allPlaces, d.cookies...)
	assertNoLeak(t, serverPlaces, d.verificationTokens...) // the outbox contains no emails that were sent
	assertNoLeak(t, serverPlaces, d.clientSecrets...)
	personalData := []string{canaryEmail, canaryPhone, canaryName, canaryOrg, canaryStreet}
	assertNoLeak(t, operatorPlaces, personalData...)
	assert.Contains(t, d.audit, "user.signed_up")
	assertNoLeak(t, map[string]string{"audit log": d.audit}, append(d.verificationTokens, personalData...)...)
	for _, canary := range personalData {
		assert.Contains(t, d.rows, canary, "the search must find the personal data in the database")
	}
	for _, canary := range append(d.clientSecrets, canaryEmail, canaryPhone) {
		assert.Contains(t, d.responses, canary, "the search must find the canaries in responses")
	}
}

// assertNoLeak asserts that no text in places contains a canary. The keys name the places.
func assertNoLeak(t *testing.T, places map[string]string, canaries ...string) {
	t.Helper()
	require.NotEmpty(t, canaries)
	for place, text := range places {
		for _, canary := range canaries {
			require.Greater(t, len(canary), 4, "too short to be unique")
			assert.NotContains(t, text, canary, place)
		}
	}
}

// readFiles reads the files of the database and of the payment provider.
func (d *writtenData) readFiles(t *testing.T, folder string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		require.NoError(t, err)
		switch file.Name() {
		case "diy.db", "diy.db-wal", "diy.db-shm":
			d.files += string(text)
		case "diy.db.payments", "diy.db.payments-wal":
			d.payments += string(text)
		}
	}
	require.NotEmpty(t, d.payments)
}

// readTables reads all rows of all tables.
func (d *writtenData) readTables(t *testing.T, driver, source, tableNamesQuery string) {
	t.Helper()
	db, err := sql.Open(driver, source)
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	tables := queryValues(t, db, tableNamesQuery)
	require.Greater(t, len(tables), 5)
	for _, table := range tables {
		rows := strings.Join(queryValues(t, db, `SELECT * FROM "`+table+`"`), "\n")
		d.rows += rows
		if table == "audit" {
			d.audit = rows
		}
	}
}

// queryValues returns the values of all rows as texts.
func queryValues(t *testing.T, db *sql.DB, query string) (values []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }() // Err reports failures
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		row, targets := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
		for i := range row {
			targets[i] = &row[i]
		}
		require.NoError(t, rows.Scan(targets...))
		for _, value := range row {
			values = append(values, string(value))
		}
	}
	require.NoError(t, rows.Err())
	return values
}

// These canaries are secrets in the operator's settings.
const (
	canaryAPIKey        = "sk_test_Canary8812key"
	canaryWebhookSecret = "whsec_Canary8813webhook"
	canaryMailPassword  = "Canary8814mail"
)

// Stripe and the mail server are unreachable, so that the server logs errors about both.
func TestOperatorSecrets_DoNotLeak(t *testing.T) {
	server := startServer(t, newSQLiteURL(t), "DIY_ADMIN_ADDR=127.0.0.1:0", "DIY_PAYMENTS=stripe",
		"DIY_STRIPE_API_URL=http://127.0.0.1:1",
		"DIY_STRIPE_SECRET_KEY="+canaryAPIKey, "DIY_STRIPE_PUBLISHABLE_KEY=pk_test_public",
		"DIY_STRIPE_WEBHOOK_SECRET="+canaryWebhookSecret,
		"DIY_SMTP_URL=smtp://ada:"+canaryMailPassword+"@127.0.0.1:1", "DIY_MAIL_FROM=diy@diy.example")
	admin := "http://" + server.waitForLog(t, adminListeningLine)
	u := canaryUser{browser: newBrowser(t), server: server.url, transcript: &transcript{}}
	u.client.Transport = u.transcript

	assert.Contains(t, u.request("GET", "/vc-admin/diy/config.json", ""), "pk_test_public", "the public key")
	assert.Equal(t, http.StatusCreated, u.post(server.url+"/vc-admin/signup", registration))
	u.request("POST", "/vc-admin/webhooks/stripe", `{}`)
	u.request("GET", "/", "")
	server.waitForLog(t, regexp.MustCompile(`("msg":"[^"]*email[^"]*")`))

	assertNoLeak(t, map[string]string{
		"log": server.logText(t), "responses": u.transcript.responses.String(), "failures": u.transcript.errorResponses.String(),
		"metrics": u.get(admin + "/metrics"), "command line": u.get(admin + "/debug/pprof/cmdline"),
	}, canaryAPIKey, canaryWebhookSecret, canaryMailPassword)
}
