package postgrestest

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// needing matches the tests that need PostgreSQL, as -skip has it.
const needing = "^TestPostgres|/^PostgreSQL$"

// Tests are those of a package: testing.M, or what runs it and does more.
type Tests interface{ Run() int }

var _ Tests = (*testing.M)(nil)

// Run runs the tests of a package and exits with their outcome.
func Run(m Tests) {
	flag.Parse()
	if _, err := findBinaries(); err != nil {
		leaveOut(err)
	}
	code := m.Run()
	if err := stop(); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "the throwaway PostgreSQL did not stop:", err)
		code = 1
	}
	os.Exit(code)
}

// leaveOut keeps the tests that need PostgreSQL from being run, so that none counts as passed.
func leaveOut(why error) {
	_, _ = fmt.Fprintf(os.Stderr, "\n*** NOT RUN: the tests on PostgreSQL (%v)\n\n", why)
	if os.Getenv("CI") == "true" { //nolint:forbidigo // a setting of the tests, not of the application
		os.Exit(1)
	}
	skip := flag.Lookup("test.skip")
	if err := skip.Value.Set(also(skip.Value.String(), needing)); err != nil {
		panic(err)
	}
}

// also is a pattern that matches what either does.
func also(pattern, more string) string {
	if pattern == "" {
		return more
	}
	return pattern + "|" + more
}
