// Package postgrestest provides tests with PostgreSQL databases on a temporary server, which it starts
// from the binaries of this machine. Each test binary has one server, started for the first test that needs
// it and reachable only through a Unix socket.
//
// TestMain of a package must call Run. If PostgreSQL is not installed, Run prints a message and skips the tests that need
// it. These are the tests whose names begin with TestPostgres, and the subtests named PostgreSQL. With CI=true it fails
// instead.
package postgrestest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
)

// postgresTestPattern matches the tests that need PostgreSQL, in the syntax of -skip.
const postgresTestPattern = "^TestPostgres|/^PostgreSQL$"

// TestRunner runs the tests of a package. testing.M implements it.
type TestRunner interface{ Run() int }

var _ TestRunner = (*testing.M)(nil)

// Run runs the tests of a package and exits with their status.
func Run(m TestRunner) {
	flag.Parse()
	if _, err := findBinaryDir(); err != nil {
		skipPostgresTests(err)
	}
	code := m.Run()
	if err := stopCluster(); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "the temporary PostgreSQL server did not stop:", err)
		code = 1
	}
	os.Exit(code)
}

func skipPostgresTests(reason error) {
	_, _ = fmt.Fprintf(os.Stderr, "\n*** NOT RUN: the tests on PostgreSQL (%v)\n\n", reason)
	if os.Getenv("CI") == "true" { //nolint:forbidigo // a setting of the tests, not of the application
		os.Exit(1)
	}
	skip := flag.Lookup("test.skip")
	pattern := postgresTestPattern
	if previousPattern := skip.Value.String(); previousPattern != "" {
		pattern = previousPattern + "|" + pattern
	}
	if err := skip.Value.Set(pattern); err != nil {
		panic(err)
	}
}

// Template is a database that is prepared once and copied for each test.
type Template struct {
	prepare      func(ctx context.Context, url string) error
	once         sync.Once
	databaseName string
	err          error
}

// NewTemplate returns a template that prepare fills before the first copy. prepare must close its
// connections.
func NewTemplate(prepare func(ctx context.Context, url string) error) *Template {
	return &Template{prepare: prepare}
}

// URL returns the URL of a copy of the template, which is dropped at the end of the test.
func (template *Template) URL(t testing.TB) string {
	t.Helper()
	c := requireCluster(t)
	template.once.Do(func() {
		if template.databaseName, template.err = c.createDatabase(t.Context(), "template1"); template.err == nil {
			template.err = template.prepare(t.Context(), c.url(template.databaseName))
		}
	})
	if template.err != nil {
		t.Fatal("preparing the template of the database: ", template.err)
	}
	return c.copyDatabase(t, template.databaseName)
}

// URL returns the URL of an empty database, which is dropped at the end of the test.
func URL(t testing.TB) string {
	t.Helper()
	return requireCluster(t).copyDatabase(t, "template1")
}

func requireCluster(t testing.TB) *cluster {
	t.Helper()
	c, err := sharedCluster()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// copyDatabase copies a database, drops the copy at the end of the test, and returns its URL.
func (c *cluster) copyDatabase(t testing.TB, templateName string) string {
	t.Helper()
	name, err := c.createDatabase(t.Context(), templateName)
	if err != nil {
		t.Fatal("copying the template of the database: ", err)
	}
	t.Cleanup(func() {
		// FORCE terminates connections that the test left open.
		_, err := c.admin.ExecContext(context.WithoutCancel(t.Context()), "DROP DATABASE "+name+" WITH (FORCE)")
		if err != nil {
			t.Error("dropping the database: ", err)
		}
	})
	return c.url(name)
}

// createdDatabases counts the databases of this test binary. The count is part of their names.
var createdDatabases atomic.Int64

func (c *cluster) createDatabase(ctx context.Context, templateName string) (string, error) {
	name := fmt.Sprintf("test%d", createdDatabases.Add(1))
	_, err := c.admin.ExecContext(ctx, "CREATE DATABASE "+name+" TEMPLATE "+templateName)
	return name, err
}
