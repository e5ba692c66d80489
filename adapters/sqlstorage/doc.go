// Package sqlstorage keeps everything in an SQL database: storage.Store over sqlx, and the records
// of sessions. SQLite is the embedded default; PostgreSQL lets any number of servers share one
// database.
//
// What differs between databases sits behind dialect: what locks the rows a change is about to
// write, which driver error means what, and how servers take turns to migrate; the files named
// sqlite and postgres hold that and how a connection is made. Everything else is written once,
// with ? as placeholder, in SQL that every dialect understands. Each has its own folder of
// migrations, because column types and what an index may do differ; there is no way down: a
// database that went wrong is restored, not rolled back.
//
// A change is one transaction that holds its rows from the first read to the commit, so nobody
// gets in between. What the database undoes to let others pass is done again, and so is what went
// with a connection, unless that broke in the commit: nobody knows what became of it then. Reads
// never wait for writes. Rows become domain values, and back, in the *_row.go files; those are
// also the only place that names columns.
package sqlstorage
