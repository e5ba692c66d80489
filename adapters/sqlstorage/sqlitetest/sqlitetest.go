// Package sqlitetest provides tests with copies of an SQLite database that is prepared once. Copying a
// migrated file is much faster than running the migrations.
package sqlitetest

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"

	_ "modernc.org/sqlite" // the driver
)

// TB is the part of testing.TB that URL needs. *rapid.T implements it too.
type TB interface {
	Helper()
	Cleanup(fn func())
	Errorf(format string, args ...any)
	FailNow()
}

// Template is a database that is prepared once and copied for each test.
type Template struct {
	content func() ([]byte, error) // returns the content of the database file
}

// NewTemplate returns a template that prepare fills before the first copy. prepare must close its
// connections.
func NewTemplate(prepare func(ctx context.Context, url string) error) *Template {
	return &Template{sync.OnceValues(func() ([]byte, error) {
		dir, err := os.MkdirTemp(memoryDir(), "sqlitetest")
		if err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		path := filepath.Join(dir, "diy.db")
		if err := prepare(context.Background(), "sqlite:"+path); err != nil {
			return nil, err
		}
		return os.ReadFile(path)
	})}
}

// URL returns the URL of a copy of the template, which is deleted at the end of the test.
func (template *Template) URL(t TB) string {
	t.Helper()
	content, err := template.content()
	if err != nil {
		fail(t, "preparing the template of the database", err)
	}
	dir, err := os.MkdirTemp(memoryDir(), "sqlitetest")
	if err != nil {
		fail(t, "copying the template of the database", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "diy.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		fail(t, "copying the template of the database", err)
	}
	return "sqlite:" + path
}

func fail(t TB, action string, err error) {
	t.Helper()
	t.Errorf("%s: %v", action, err)
	t.FailNow()
}

// memoryDir returns a directory in memory, because commits to a disk are slow, or "" if there is none.
func memoryDir() string {
	const dir = "/dev/shm"
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return dir
	}
	return ""
}

// Restore creates a database at the path and runs the statements of a dump on it.
func Restore(ctx context.Context, path, dump string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, dump)
	return errors.Join(err, db.Close())
}
