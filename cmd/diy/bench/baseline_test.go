package bench

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
)

// baselineEnv is an environment variable. If it is set, the test binary is a baseline server and the value
// is its configuration in JSON.
const baselineEnv = "DIY_BENCH_BARE"

// baseline configures a server that responds to every request with the same bytes, with as little work as
// possible.
type baseline struct {
	Header http.Header
	Body   []byte

	Database string  // where Rows are, or ""
	Rows     []query // read before every response
}

// query reads one row by a key, whose placeholder is ?.
type query struct{ SQL, Key string }

// startBaseline starts a baseline server in its own process.
func startBaseline(b *testing.B, job baseline) *server {
	b.Helper()
	program, err := os.Executable()
	require.NoError(b, err)
	text, err := json.Marshal(job)
	require.NoError(b, err)
	return start(b, program, []string{baselineEnv + "=" + string(text)})
}

func serveBaseline(text string) {
	var job baseline
	must(json.Unmarshal([]byte(text), &job))
	handler := http.HandlerFunc(job.response)
	if job.Database != "" {
		handler = job.readRows()
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	must(err)
	slog.New(slog.NewJSONHandler(os.Stderr, nil)).Info("listening", "addr", listener.Addr().String())
	must(http.Serve(listener, handler))
}

func (job baseline) response(w http.ResponseWriter, _ *http.Request) {
	maps.Copy(w.Header(), job.Header)
	_, _ = w.Write(job.Body) // the client may be gone
}

// readRows reads the rows before every response, through the driver that the server uses.
func (job baseline) readRows() http.HandlerFunc {
	store, err := sqlstorage.Open(context.Background(), job.Database)
	must(err)
	db := store.Pools()["reads"]
	for i := range job.Rows {
		job.Rows[i].SQL = translate(job.Database, job.Rows[i].SQL)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		for _, q := range job.Rows {
			must(q.read(r.Context(), db))
		}
		job.response(w, r)
	}
}

// read reads all columns of the row.
func (q query) read(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, q.SQL, q.Key)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	into := make([]any, len(names))
	for i := range into {
		into[i] = new(any)
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
	}
	return rows.Err()
}

// translate replaces the placeholder of a statement for PostgreSQL.
func translate(url, statement string) string {
	if strings.HasPrefix(url, "postgres") {
		return strings.Replace(statement, "?", "$1", 1)
	}
	return statement
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
