// Package tables is a library for payment providers that keep their records in the application's database, see
// plugin.Tables and plugin.Database. [Keys] stores responses to requests and retired keys. [CustomerWorker] processes and
// reports changes that happen without a request.
//
// The adapter creates the tables in its migrations. Their names are part of SQL statements: use constants.
package tables
