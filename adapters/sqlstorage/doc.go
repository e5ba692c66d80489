// Package sqlstorage implements storage.Store in an SQL database, and stores HTTP sessions, secrets and
// the counters of rate limits. SQLite is the embedded default; with PostgreSQL any number of servers can
// share one database.
//
// The type dialect contains the differences between the databases: the row locks, the meaning of the driver's errors,
// and the lock that prevents concurrent migrations. The files sqlite*.go and postgres.go contain the dialects, the
// connection settings and the code that depends on the operating system. All other SQL is written once, with ? as
// placeholder, and runs on both. Each database has its own folder of migrations, because column types and index features
// differ; the first one describes the tables. There are no down migrations: restore a backup instead.
//
// Each change is one transaction that locks its rows from the first read to the commit. If the database rolls the
// transaction back because of a conflict, or if the connection breaks before the commit, the transaction is run again. If
// the connection breaks during the commit, the outcome is unknown and the call fails with fault.Unavailable. Reads never
// wait for writes.
//
// Each table or group of tables has a file, such as organisations.go. The file converts rows to domain values and is the
// only place that names the tables' columns. newTable generates most of the SQL statements from the row type. Copies of
// subscriptions and invoices are stored as documents, the JSON of the domain value, beside the columns that queries use.
package sqlstorage
