// Package storage is the port for the database. Adapters implement Store and pass the conformance suite in
// package storagetest.
//
// These rules hold for all methods. Errors are faults: NotFound, Duplicate and Conflict as documented, and Unavailable
// if the database can't be reached or a lock is held too long. A nil error means that the change survives a power
// failure. Times are in UTC with microseconds; those inside subscriptions and invoices are as given. If ctx ends before
// a call returns, the call changes nothing and returns Unavailable.
package storage

import (
	"context"
	"time"
)

// Store combines all parts of the port. Callers declare the interfaces that they need.
type Store interface {
	SignUps
	Organisations
	Invoices
	Users
	Credentials
	Memberships
	Teams
	Verifications
	PasswordResets
	EmailConfirmations
	EmailPreferences
	UnreachableEmails
	EmailRequests
	Operations
	PaymentAttempts
	EndFeedback
	TrialCards
	AuditLog
	Attention
	Search
	Privacy
	Outbox
	FinishedEmails
	CallerChecks
	Events
	// Ready reports whether the database can be reached and is migrated.
	Ready(ctx context.Context) error
}

// BacklogLimit is the largest QueueStats.Count. Counting stops at this number.
const BacklogLimit = 1000

// Backlog describes the queues in the database, for monitoring.
type Backlog struct {
	Emails     QueueStats // in the outbox, including claimed ones
	Operations QueueStats // pending
}

// QueueStats describes the entries of a queue.
type QueueStats struct {
	Count  int       // BacklogLimit means BacklogLimit or more
	Oldest time.Time // zero if the queue is empty
}
