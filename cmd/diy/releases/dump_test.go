package releases

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dumpSQLite returns the statements that create the database again.
func dumpSQLite(t *testing.T, db *sql.DB) string {
	t.Helper()
	const schema = "FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
	var text strings.Builder
	for _, statement := range queryStrings(t, db, "SELECT sql "+schema+" AND type = 'table' ORDER BY rowid") {
		text.WriteString(statement + ";\n")
	}
	for _, table := range queryStrings(t, db, "SELECT name "+schema+" AND type = 'table' ORDER BY rowid") {
		columns := queryStrings(t, db, "SELECT name FROM pragma_table_info('"+table+"') ORDER BY cid")
		row := "'(' || quote(" + strings.Join(columns, ") || ', ' || quote(") + ") || ')'"
		if rows := queryStrings(t, db, "SELECT "+row+" FROM "+table+" ORDER BY 1"); len(rows) > 0 {
			fmt.Fprintf(&text, "INSERT INTO %s (%s) VALUES\n%s;\n", table, strings.Join(columns, ", "), strings.Join(rows, ",\n"))
		}
	}
	for _, statement := range queryStrings(t, db, "SELECT sql "+schema+" AND type <> 'table' ORDER BY rowid") {
		text.WriteString(statement + ";\n")
	}
	return text.String()
}

// sessionSetting matches lines of pg_dump that only psql or other versions of PostgreSQL understand.
var sessionSetting = regexp.MustCompile(`(?m)^(\\(un)?restrict .*|SET transaction_timeout = 0;)\n`)

// dumpPostgres returns the statements of pg_dump, which create the database again.
func dumpPostgres(t *testing.T, url string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "pg_dump", "--no-owner", "--no-privileges", "--rows-per-insert=1000", url)
	output, err := command.Output()
	require.NoError(t, err)
	return sessionSetting.ReplaceAllString(string(output), "")
}

// queryStrings returns the first column of a query.
func queryStrings(t *testing.T, db *sql.DB, query string) (values []string) {
	t.Helper()
	rows, err := db.QueryContext(context.Background(), query)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }() // Err reports failures
	for rows.Next() {
		var value string
		require.NoError(t, rows.Scan(&value))
		values = append(values, value)
	}
	require.NoError(t, rows.Err())
	return values
}

// compress returns the text in the format of gzip.
func compress(t *testing.T, text string) []byte {
	t.Helper()
	var compressed bytes.Buffer
	w, err := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
	require.NoError(t, err)
	_, err = io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return compressed.Bytes()
}

// readCompressed returns the text of a compressed file.
func readCompressed(t *testing.T, path string) string {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = file.Close() }() // it was only read
	r, err := gzip.NewReader(file)
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(text)
}
