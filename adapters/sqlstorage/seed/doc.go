// Package seed fills databases with made-up organisations, as many as a measurement wants. They
// are written by a few statements of SQL: a million registrations would take hours. It is for tests
// only.
package seed
