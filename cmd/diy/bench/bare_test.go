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

// bareJob names the variable of the environment that makes this program a bare server: what it
// serves, as JSON.
const bareJob = "DIY_BENCH_BARE"

// bare answers everything with the same bytes, in the plainest way: what a server costs anyway.
type bare struct {
	Header http.Header
	Body   []byte

	Database string  // where the rows are read first, if there are any
	Rows     []query // what is read for every answer
}

// query reads one row by its key; ? stands for it.
type query struct{ SQL, Key string }

// startBare starts a bare server, in a process of its own as the real one.
func startBare(b *testing.B, job bare) *server {
	b.Helper()
	program, err := os.Executable()
	require.NoError(b, err)
	text, err := json.Marshal(job)
	require.NoError(b, err)
	return start(b, program, []string{bareJob + "=" + string(text)})
}

// serveBare is the bare server.
func serveBare(text string) {
	var job bare
	must(json.Unmarshal([]byte(text), &job))
	handler := http.HandlerFunc(job.answer)
	if job.Database != "" {
		handler = job.reading()
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	must(err)
	slog.New(slog.NewJSONHandler(os.Stderr, nil)).Info("listening", "addr", listener.Addr().String())
	must(http.Serve(listener, handler))
}

func (job bare) answer(w http.ResponseWriter, _ *http.Request) {
	maps.Copy(w.Header(), job.Header)
	_, _ = w.Write(job.Body) // who asked may be gone
}

// reading reads the rows through the same driver before it answers.
func (job bare) reading() http.HandlerFunc {
	store, err := sqlstorage.Open(context.Background(), job.Database)
	must(err)
	db := store.Pools()["reads"]
	for i := range job.Rows {
		job.Rows[i].SQL = inDialect(job.Database, job.Rows[i].SQL)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		for _, q := range job.Rows {
			must(q.read(r.Context(), db))
		}
		job.answer(w, r)
	}
}

// read reads all columns of the row, whatever they are.
func (q query) read(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, q.SQL, q.Key)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err tells what went wrong
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

// inDialect writes the one placeholder of a statement as the database has it.
func inDialect(url, statement string) string {
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
