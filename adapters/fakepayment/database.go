package fakepayment

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"os"
	"path/filepath"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// pragmas apply to the connection. EXCLUSIVE keeps other processes out. In WAL mode a commit with synchronous=NORMAL
// survives a kill of the process. A power cut may lose the latest commits, but does not damage the file. This suffices
// for a provider without real money.
const pragmas = "_pragma=locking_mode(EXCLUSIVE)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=exclusive"

// schemaVersion is stored in user_version; 0 is a new file. Increase it when records in files can't be read any more.
const schemaVersion = 2

const schema = `CREATE TABLE records (
	kind     TEXT NOT NULL,
	id       TEXT NOT NULL,
	document TEXT NOT NULL, -- JSON
	PRIMARY KEY (kind, id)
) WITHOUT ROWID`

// database writes the records to a SQLite file, which one process may open. The zero database
// stores nothing.
type database struct{ db *sqlx.DB }

// openDatabase opens or creates the file and loads its records into s. Without a path, nothing is
// stored.
func openDatabase(ctx context.Context, path string, s *state) (database, error) {
	if path == "" {
		return database{}, nil
	}
	if err := createFile(path); err != nil {
		return database{}, err
	}
	file := url.URL{Path: path}
	db, err := sqlx.Open("sqlite", "file:"+file.EscapedPath()+"?"+pragmas)
	if err != nil {
		return database{}, err
	}
	db.SetMaxOpenConns(1) // the connection holds the lock on the file
	d := database{db: db}
	if err := d.createTable(ctx); err != nil {
		return database{}, errors.Join(openError(path, err), db.Close())
	}
	if err := d.load(ctx, s); err != nil {
		return database{}, errors.Join(openError(path, err), db.Close())
	}
	return d, nil
}

// createFile creates the directory and an empty file that only the owner can read, unless they exist.
func createFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// openError adds the path and the likely reason to an error of openDatabase.
func openError(path string, err error) error {
	if sqliteErr, ok := errors.AsType[*sqlite.Error](err); ok && sqliteErr.Code()&0xff == sqlite3.SQLITE_BUSY {
		return fmt.Errorf("%s is in use by another process: %w", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// createTable creates the table in a new file. It refuses a file of another version.
func (d database) createTable(ctx context.Context) error {
	return d.inTransaction(ctx, func(dbTx *sqlx.Tx) error {
		var version int
		if err := dbTx.GetContext(ctx, &version, "PRAGMA user_version"); err != nil {
			return err
		}
		switch version {
		case schemaVersion:
			return nil
		case 0:
			_, err := dbTx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA user_version = %d", schema, schemaVersion))
			return err
		}
		return fmt.Errorf("the file was written by another version, which this version can't read (schema %d instead of %d): "+
			"delete it together with the application's development database, or move both away", version, schemaVersion)
	})
}

func (d database) load(ctx context.Context, s *state) error {
	rows, err := d.db.QueryContext(ctx, "SELECT kind, id, document FROM records")
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err reports failures
	for rows.Next() {
		var kind, id string
		var document sql.RawBytes
		if err := rows.Scan(&kind, &id, &document); err != nil {
			return err
		}
		if err := s.load(kind, id, document); err != nil {
			return err
		}
	}
	return rows.Err()
}

// save writes the changes in one transaction.
func (d database) save(ctx context.Context, changes []change) error {
	if d.db == nil || len(changes) == 0 {
		return nil
	}
	return d.inTransaction(ctx, func(dbTx *sqlx.Tx) error {
		upsert, err := dbTx.PrepareContext(ctx, "INSERT INTO records (kind, id, document) VALUES (?, ?, ?) "+
			"ON CONFLICT (kind, id) DO UPDATE SET document = excluded.document")
		if err != nil {
			return err
		}
		defer func() { _ = upsert.Close() }()
		for c := range lastChanges(changes) {
			if c.record == nil {
				_, err = dbTx.ExecContext(ctx, "DELETE FROM records WHERE kind = ? AND id = ?", c.kind, c.id)
			} else {
				err = putRecord(ctx, upsert, c)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func putRecord(ctx context.Context, upsert *sql.Stmt, c change) error {
	document, err := json.Marshal(c.record)
	if err != nil {
		return err
	}
	_, err = upsert.ExecContext(ctx, c.kind, c.id, string(document))
	return err
}

// lastChanges returns the last change of each record, in any order.
func lastChanges(changes []change) iter.Seq[change] {
	type key struct{ kind, id string }
	last := map[key]change{}
	for _, c := range changes {
		last[key{c.kind, c.id}] = c
	}
	return maps.Values(last)
}

func (d database) inTransaction(ctx context.Context, fn func(*sqlx.Tx) error) error {
	dbTx, err := d.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(dbTx); err != nil {
		return errors.Join(err, dbTx.Rollback())
	}
	return dbTx.Commit()
}

func (d database) close() error {
	if d.db == nil {
		return nil
	}
	return d.db.Close()
}
