package storage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/audit"
)

// AuditLog stores the audit log. Its entries never change, and the database refuses to change them.
//
// Other methods of this package also add the entries about what they store, in the same transaction. The store completes
// an entry: it assigns the ID and sets a missing At, Actor, Cause and RequestID, the latter three from the context. It
// returns Internal, and stores nothing, for an entry that audit.Entry.Validate refuses, such as one without an actor. It
// returns Conflict, and stores nothing, for a second entry of an operator's action: one of a kind "operator.…" with the
// Cause, the organisation and the kind of an earlier entry.
type AuditLog interface {
	// AddAuditEntries adds entries about something that is not stored elsewhere.
	AddAuditEntries(ctx context.Context, entries ...audit.Entry) error
	// OrganisationAuditEntries returns the entries of an organisation with their notes, newest first. It returns those
	// with an ID below before, or the newest if before is 0. If kinds are given, it returns only entries of these kinds.
	OrganisationAuditEntries(
		ctx context.Context, organisationID string, before int64, limit int, kinds ...audit.Kind,
	) ([]audit.Entry, error)
	// AuditEntries returns the entries that match the query, in the order of their ids, with their notes.
	AuditEntries(ctx context.Context, query AuditQuery) ([]audit.Entry, error)
	// AuditSeals returns the seals of a class after the number, in their order.
	AuditSeals(ctx context.Context, class audit.Class, after int64, limit int) ([]audit.Seal, error)
	// SealAuditLog adds a seal of each class whose next seal is due (see audit.Seal.IsDue), and returns the added seals. It
	// returns Conflict if a concurrent call has added the same seal.
	SealAuditLog(ctx context.Context, now time.Time) ([]audit.Seal, error)
	// SweepAuditLog deletes the entries of the class audit.Access that are older than audit.Retention, compared with the newest
	// entry. It deletes all entries of a seal or none, and returns their number.
	SweepAuditLog(ctx context.Context) (int, error)
}

// AuditQuery selects entries. Fields with a zero value don't restrict the result.
type AuditQuery struct {
	OrganisationID string
	Actor          string // the id of the actor
	RequestID      string
	Class          audit.Class
	Kind           audit.Kind
	Cause          string
	From, Before   time.Time
	AfterID        int64 // entries with a higher ID
	UntilID        int64 // entries with this or a lower ID; 0 for no limit
	Limit          int
}
