// Package sqlstorage keeps everything in an SQL database: storage.Store over sqlx. SQLite is the
// embedded default.
//
// What differs between databases sits behind dialect: how a connection is made, what locks the
// rows a change is about to write, and which driver error means what. Everything else is written
// once, with ? as placeholder, in SQL that every dialect understands. Each has its own folder of
// migrations, because column types and what an index may do differ; there is no way down: a
// database that went wrong is restored, not rolled back.
//
// A change is one transaction that holds its rows from the first read to the commit, so nobody
// gets in between. Reads never wait for writes. Rows become domain values, and back, in the
// *_row.go files; those are also the only place that names columns.
package sqlstorage
