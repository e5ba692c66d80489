package postgrestest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// Template is a database that is prepared once, for tests to have copies of.
type Template struct {
	prepare func(ctx context.Context, url string) error
	once    sync.Once
	name    string
	err     error
}

// NewTemplate prepares a database with the function when it is first asked for a copy. The
// function leaves no connection behind.
func NewTemplate(prepare func(ctx context.Context, url string) error) *Template {
	return &Template{prepare: prepare}
}

// URL names a copy of the template that is the test's own. It is dropped when the test ends.
func (m *Template) URL(t testing.TB) string {
	t.Helper()
	c := running(t)
	m.once.Do(func() { m.name, m.err = c.prepared(t.Context(), m.prepare) })
	if m.err != nil {
		t.Fatal("the template of the test's database: ", m.err)
	}
	return c.copied(t, m.name)
}

// URL names an empty database that is the test's own. It is dropped when the test ends.
func URL(t testing.TB) string {
	t.Helper()
	return running(t).copied(t, "template1")
}

func running(t testing.TB) *cluster {
	t.Helper()
	c, err := started()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *cluster) copied(t testing.TB, template string) string {
	t.Helper()
	name, err := c.create(t.Context(), template)
	if err != nil {
		t.Fatal("the test's database: ", err)
	}
	t.Cleanup(func() {
		if err := c.drop(context.WithoutCancel(t.Context()), name); err != nil {
			t.Error("the test's database: ", err)
		}
	})
	return c.url(name)
}

func (c *cluster) prepared(ctx context.Context, prepare func(context.Context, string) error) (string, error) {
	name, err := c.create(ctx, "template1")
	if err != nil {
		return "", err
	}
	return name, prepare(ctx, c.url(name))
}

// created counts databases, for their names.
var created atomic.Int64

func (c *cluster) create(ctx context.Context, template string) (string, error) {
	name := fmt.Sprintf("test%d", created.Add(1))
	_, err := c.admin.ExecContext(ctx, "CREATE DATABASE "+name+" TEMPLATE "+template)
	return name, err
}

// drop throws out whoever is still connected.
func (c *cluster) drop(ctx context.Context, name string) error {
	_, err := c.admin.ExecContext(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
	return err
}
