package diycmd

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
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

// Canaries are unique texts in requests. The tests search them in everything that the server writes.
const (
	canaryEmail    = "canary-mail@example.test"
	canaryPassword = "Canary-password-7391"
	canaryWrong    = "Canary-wrong-guess-5517"
	canaryPhone    = "+61 2 7391 5517"
	canaryName     = "Canarybird"
	canaryOrg      = "Canary Islands Clinic"
	canaryStreet   = "1 Canary Wharf"
	canaryNumber   = "4000002500003155"
	canaryCVC      = "Canary-code-9081"   // digits alone appear by chance, for example in durations
	canaryHeader   = "Canary-header-4410" // in a query, and in headers that name other pages and programs
	canaryDatabase = "Canary-database-2206"
)

// These expressions match the log lines of a request and of a worker, with their trace ids.
var (
	workersLine = regexp.MustCompile(`"msg":"background work","worker":"mail","done":[1-9],"request":"([A-Z0-9]{26})"`)
	requestLine = regexp.MustCompile(`(?m)^{"time":"[^"]+Z","level":"INFO","msg":"request","method":"POST","route":"/vc-admin/signup",.*"request":"([A-Z0-9]{26})"}$`)
)

// writtenData contains everything that the server wrote, except the development mailbox, which replaces the
// mailbox of the user.
type writtenData struct {
	rows, files            string // the contents of the database; files for SQLite only
	payments               string // the files of the payment provider
	log, metrics           string
	responses, failures    string
	verification           []string // tokens in emails
	cookies, clientSecrets []string
}

// Secrets are stored nowhere. Personal data is only in the database, in emails, in responses to the user
// and at the payment provider.
func TestSecrets_DoNotLeakOnSQLite(t *testing.T) {
	folder := t.TempDir()
	c := useCanaries(t, "sqlite:"+filepath.Join(folder, "diy.db"))
	c.readFiles(t, folder)
	c.readTables(t, "sqlite", filepath.Join(folder, "diy.db"), `SELECT name FROM sqlite_master WHERE type = 'table'`)
	c.assertNoSecrets(t)
}

// PostgreSQL quotes refused values in its errors.
func TestSecrets_DoNotLeakOnPostgres(t *testing.T) {
	database := strings.Replace(postgrestest.URL(t), "diy@", "diy:"+canaryDatabase+"@", 1)
	c := useCanaries(t, database)
	c.readTables(t, "pgx", database, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
	c.assertNoSecrets(t)
	assertNoLeak(t, map[string]string{"log": c.log, "metrics": c.metrics}, canaryDatabase)
}

func (c writtenData) assertNoSecrets(t *testing.T) {
	t.Helper()
	allPlaces := map[string]string{
		"database": c.rows, "files": c.files, "payments": c.payments, "log": c.log, "metrics": c.metrics,
		"responses": c.responses, "failures": c.failures,
	}
	operatorPlaces := map[string]string{"log": c.log, "metrics": c.metrics, "failures": c.failures}
	serverPlaces := map[string]string{"log": c.log, "metrics": c.metrics, "failures": c.failures, "database": c.rows}

	assertNoLeak(t, allPlaces, canaryPassword, canaryWrong, canaryNumber, canaryCVC, canaryHeader)
	assertNoLeak(t, allPlaces, c.cookies...)
	assertNoLeak(t, serverPlaces, c.verification...) // sent emails are deleted from the outbox
	assertNoLeak(t, serverPlaces, c.clientSecrets...)
	personal := []string{canaryEmail, canaryPhone, canaryName, canaryOrg, canaryStreet}
	assertNoLeak(t, operatorPlaces, personal...)
	for _, canary := range personal {
		assert.Contains(t, c.rows, canary, "the search works: personal data is in the database")
	}
	for _, canary := range append(c.clientSecrets, canaryEmail, canaryPhone) {
		assert.Contains(t, c.responses, canary, "the search works: responses contain it")
	}
}

// assertNoLeak fails for every canary in one of the texts.
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

const canaryPrice = `"priceId": "professional_yearly", "interval": "yearly", "currency": "AUD"`

// canaryUser uses every feature of a server.
type canaryUser struct {
	browser
	server     string
	transcript *transcript
}

// useCanaries registers, verifies, signs in with a wrong and the right password, pays with a card that
// requires authentication, changes plan and cards, sends invalid requests and signs out.
func useCanaries(t *testing.T, database string) (c writtenData) {
	t.Helper()
	server := startServer(t, database, "DIY_ADMIN_ADDR=127.0.0.1:0")
	u := canaryUser{browser: newBrowser(t), server: server.url, transcript: &transcript{}}
	u.client.Transport = u.transcript

	u.request("GET", "/vc-admin/diy/config.json", "")
	c.verification = u.register()
	u.signIn()
	c.clientSecrets = u.pay()
	u.manageSubscription()
	u.sendInvalid()
	u.request("GET", "/vc-admin/auth/logout", "")

	c.responses, c.failures, c.cookies = u.transcript.responses.String(), u.transcript.failures.String(), u.transcript.cookies
	server.waitForLog(t, requestLine)
	server.waitForLog(t, workersLine)
	c.log = server.logText(t)
	c.metrics = newBrowser(t).get("http://" + server.waitForLog(t, adminListening) + "/metrics")
	return c
}

// request sends a request and returns the response body.
func (u canaryUser) request(method, path, body string) string {
	u.t.Helper()
	_, response := u.send(method, u.server+path, body)
	return response
}

func (u canaryUser) register() (tokens []string) {
	u.t.Helper()
	form := strings.NewReplacer("Ada", canaryName, "Analytical Engines", canaryOrg, "ada@example.test", canaryEmail,
		"Secret-pass-1", canaryPassword, "+61 2 9000 0000", canaryPhone, "1 Long Road", canaryStreet).Replace(registration)
	u.request("POST", "/vc-admin/signup", form)
	u.request("POST", "/vc-admin/signup", form)
	u.request("POST", "/vc-admin/user-diy/new-user?debug="+canaryHeader, form)
	u.request("POST", "/vc-admin/signup", strings.Replace(form, `"AU"`, `"`+canaryWrong+`"`, 1))
	u.request("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryPassword+`"}`)
	u.request("POST", "/vc-admin/auth/verify/resend", `{"email": "`+canaryEmail+`"}`)
	link, err := url.Parse(u.verificationLink(u.server))
	require.NoError(u.t, err)
	u.request("GET", link.String()+"x", "")
	u.request("GET", link.String(), "")
	u.request("GET", link.String(), "")
	return []string{link.Query().Get("token")}
}

func (u canaryUser) signIn() {
	u.t.Helper()
	u.request("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryWrong+`"}`)
	u.request("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryPassword+`", `)
	u.request("POST", "/auth/login", `{"username": ["`+canaryEmail+`"], "password": {"`+canaryPassword+`": 1}}`)
	u.request("POST", "/auth/login", `{"username": "`+canaryEmail+`", "password": "`+canaryPassword+`"}`)
	var user struct{ Detail struct{ OrgID string } }
	require.NoError(u.t, json.Unmarshal([]byte(u.request("GET", "/vc-admin/user/detail", "")), &user))
	require.NotEmpty(u.t, user.Detail.OrgID, "signed in")
	u.request("GET", "/vc-admin/org/detail/"+user.Detail.OrgID, "")
}

// pay subscribes without a trial and returns the client secret of the payment.
func (u canaryUser) pay() (secrets []string) {
	u.t.Helper()
	u.request("POST", "/vc-admin/user-diy/new-customer", `{}`)
	subscribed := u.request("POST", "/vc-admin/user-diy/subscribe?debug=true", `{`+canaryPrice+`, "paymentMethodId": "`+u.card()+`", "no_trial": true}`)
	var subscription struct {
		LatestInvoice struct {
			PaymentIntent struct {
				ClientSecret string `json:"client_secret"`
			} `json:"payment_intent"`
		} `json:"latest_invoice"`
	}
	require.NoError(u.t, json.Unmarshal([]byte(subscribed), &subscription))
	require.NotEmpty(u.t, subscription.LatestInvoice.PaymentIntent.ClientSecret, subscribed)
	return []string{subscription.LatestInvoice.PaymentIntent.ClientSecret}
}

// card creates a card as the card field does, after one with an invalid number and code.
func (u canaryUser) card() string {
	u.t.Helper()
	u.request("POST", "/dev/payments/payment_methods", `{"card": {"number": "`+canaryNumber+`0", "exp_month": 12, "exp_year": 2040, "cvc": "`+canaryCVC+`"}}`)
	var card struct{ ID string }
	created := u.request("POST", "/dev/payments/payment_methods", `{"card": {"number": "`+canaryNumber+`", "exp_month": 12, "exp_year": 2040, "cvc": "908"}}`)
	require.NoError(u.t, json.Unmarshal([]byte(created), &card))
	return card.ID
}

func (u canaryUser) manageSubscription() {
	u.t.Helper()
	for path, body := range map[string]string{
		"/vc-admin/org/customer":            `{"expand": ["invoice_settings.default_payment_method"]}`,
		"/vc-admin/org/customer/cards/add":  `{"paymentMethodId": "` + u.card() + `", "set_default": true}`,
		"/vc-admin/org/customer/cards/del":  `{"paymentMethodId": "` + canaryNumber + `"}`,
		"/vc-admin/org/customer/edit":       `{"invoice_settings": {"default_payment_method": "` + canaryEmail + `"}}`,
		"/vc-admin/org/subscription/list":   `{"status": "canceled"}`,
		"/vc-admin/org/subscription/update": `{` + canaryPrice + `}`,
	} {
		u.request("POST", path, body)
	}
	u.request("GET", "/vc-admin/org/customer/cards", "")
}

// sendInvalid sends canaries in invalid requests.
func (u canaryUser) sendInvalid() {
	u.t.Helper()
	secrets := `"` + canaryEmail + ` ` + canaryPassword + ` ` + canaryNumber + ` ` + canaryPhone + `"`
	for _, path := range []string{
		"/auth/login", "/vc-admin/signup", "/vc-admin/user-diy/subscribe", "/vc-admin/org/subscription/list",
		"/vc-admin/webhooks/stripe", "/vc-admin/org/customer/edit", "/nowhere", "/vc-admin/diy/plans",
	} {
		u.request("POST", path, secrets)
		u.request("POST", path, `{"status": `+secrets+`, "username": `+secrets+`, "priceId": `+secrets+`, "customerId": `+secrets+`}`)
		u.request("POST", path, `{"x": "`+strings.Repeat(canaryPassword, 4000)+`"}`)
	}
	u.request("GET", "/vc-admin/org/detail/"+canaryPassword, "")
	u.request("GET", "/"+canaryWrong+"?password="+canaryPassword, "")
	u.request("GET", "/vc-admin/auth/verify?token="+canaryWrong, "")
}

// transcript records responses and cookies.
type transcript struct {
	responses, failures strings.Builder
	cookies             []string
}

// RoundTrip implements http.RoundTripper.
func (t *transcript) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for _, name := range []string{"Referer", "User-Agent", "X-Request-Id", "X-Forwarded-For", "Accept-Language"} {
		r.Header.Set(name, canaryHeader)
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	t.isPublic(response, !strings.HasPrefix(r.URL.Path, "/dev/"))
	return response, nil
}

// isPublic records a response, except those of development routes, and all cookies.
func (t *transcript) isPublic(response *http.Response, isPublic bool) {
	body, _ := io.ReadAll(response.Body) // the client reports the error
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(body))
	for _, cookie := range response.Cookies() {
		if cookie.Value != "" {
			t.cookies = append(t.cookies, cookie.Value)
		}
	}
	if !isPublic {
		return
	}
	header := response.Header.Clone()
	header.Del("Set-Cookie")
	line := fmt.Sprintf("%s %v %s\n", response.Status, header, body)
	if response.StatusCode >= http.StatusBadRequest {
		t.failures.WriteString(line)
		return
	}
	t.responses.WriteString(line)
}

// readFiles reads the database files.
func (c *writtenData) readFiles(t *testing.T, folder string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		require.NoError(t, err)
		switch file.Name() {
		case "diy.db", "diy.db-wal", "diy.db-shm":
			c.files += string(text)
		case "diy.db.payments", "diy.db.payments-wal":
			c.payments += string(text)
		}
	}
	require.NotEmpty(t, c.payments)
}

// readTables reads all rows of all tables.
func (c *writtenData) readTables(t *testing.T, driver, source, catalogue string) {
	t.Helper()
	db, err := sql.Open(driver, source)
	require.NoError(t, err)
	defer func() { _ = db.Close() }() // opened for reading only
	tables := valuesOf(t, db, catalogue)
	require.Greater(t, len(tables), 5)
	for _, table := range tables {
		c.rows += strings.Join(valuesOf(t, db, `SELECT * FROM "`+table+`"`), "\n")
	}
}

// valuesOf returns the values of all rows as texts.
func valuesOf(t *testing.T, db *sql.DB, query string) (values []string) {
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

// Secrets in the operator's settings.
const (
	canaryKey     = "sk_test_Canary8812key"
	canaryWebhook = "whsec_Canary8813webhook"
	canaryMail    = "Canary8814mail"
)

// Stripe and the mail server are unreachable, so that the server logs errors about both.
func TestOperatorSecrets_DoNotLeak(t *testing.T) {
	server := startServer(t, newSQLite(t), "DIY_ADMIN_ADDR=127.0.0.1:0", "DIY_PAYMENTS=stripe",
		"DIY_STRIPE_API_URL=http://127.0.0.1:1",
		"DIY_STRIPE_SECRET_KEY="+canaryKey, "DIY_STRIPE_PUBLISHABLE_KEY=pk_test_public",
		"DIY_STRIPE_WEBHOOK_SECRET="+canaryWebhook,
		"DIY_SMTP_URL=smtp://ada:"+canaryMail+"@127.0.0.1:1", "DIY_MAIL_FROM=diy@diy.example")
	admin := "http://" + server.waitForLog(t, adminListening)
	u := canaryUser{browser: newBrowser(t), server: server.url, transcript: &transcript{}}
	u.client.Transport = u.transcript

	assert.Contains(t, u.request("GET", "/vc-admin/diy/config.json", ""), "pk_test_public", "the public key")
	assert.Equal(t, http.StatusCreated, u.post(server.url+"/vc-admin/signup", registration))
	u.request("POST", "/vc-admin/webhooks/stripe", `{}`)
	u.request("GET", "/", "")
	server.waitForLog(t, regexp.MustCompile(`("msg":"[^"]*email[^"]*")`))

	assertNoLeak(t, map[string]string{
		"log": server.logText(t), "responses": u.transcript.responses.String(), "failures": u.transcript.failures.String(),
		"metrics": u.get(admin + "/metrics"), "command line": u.get(admin + "/debug/pprof/cmdline"),
	}, canaryKey, canaryWebhook, canaryMail)
}
