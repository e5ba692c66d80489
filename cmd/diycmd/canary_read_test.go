package diycmd

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver
	"github.com/stretchr/testify/require"
)

// note keeps what an answer says, the mailbox's apart, and the values of its cookies. What is read is
// put back for the one who asked.
func (h *transcript) note(answer *http.Response, ours bool) {
	body, _ := io.ReadAll(answer.Body) // a broken answer is noticed by the one who asked
	_ = answer.Body.Close()
	answer.Body = io.NopCloser(bytes.NewReader(body))
	for _, cookie := range answer.Cookies() {
		if cookie.Value != "" {
			h.cookies = append(h.cookies, cookie.Value)
		}
	}
	if !ours {
		return
	}
	header := answer.Header.Clone()
	header.Del("Set-Cookie")
	said := fmt.Sprintf("%s %v %s\n", answer.Status, header, body)
	if answer.StatusCode >= http.StatusBadRequest {
		h.failures.WriteString(said)
		return
	}
	h.answers.WriteString(said)
}

// readFiles collects what the server wrote beside its log.
func (f *flown) readFiles(t *testing.T, folder string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		require.NoError(t, err)
		switch file.Name() {
		case "diy.db", "diy.db-wal", "diy.db-shm":
			f.files += string(text)
		case "diy.db.payments", "diy.db.payments-wal":
			f.books += string(text)
		}
	}
	require.NotEmpty(t, f.books)
}

// readTables collects all rows of all tables.
func (f *flown) readTables(t *testing.T, driver, source, catalogue string) {
	t.Helper()
	db, err := sql.Open(driver, source)
	require.NoError(t, err)
	defer func() { _ = db.Close() }() // it was only read
	tables := valuesOf(t, db, catalogue)
	require.Greater(t, len(tables), 5)
	for _, table := range tables {
		f.rows += strings.Join(valuesOf(t, db, `SELECT * FROM "`+table+`"`), "\n")
	}
}

// valuesOf are the values of all rows, as texts.
func valuesOf(t *testing.T, db *sql.DB, query string) (values []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }() // Err tells what went wrong
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		row, into := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		require.NoError(t, rows.Scan(into...))
		for _, value := range row {
			values = append(values, string(value))
		}
	}
	require.NoError(t, rows.Err())
	return values
}
