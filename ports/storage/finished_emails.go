package storage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
)

// FinishedEmail is an email about billing whose delivery has ended. It has no body, which operators don't see.
type FinishedEmail struct {
	ID         string // as in the outbox
	Recipient  string
	Subject    string
	Notice     billing.Notice
	FinishedAt time.Time
}

// FinishedEmails stores the emails about billing after Outbox.FinishEmail, so that operators can send them again. It does not
// store emails about accounts, whose links act for the recipient.
type FinishedEmails interface {
	// FinishedEmails returns the emails of the organisation that were finished at or after since, newest first.
	FinishedEmails(ctx context.Context, organisationID string, since time.Time, limit int) ([]FinishedEmail, error)
	// ResendEmail puts a copy of a finished email into the outbox, to its recipient and due at now, and adds the entry to the
	// audit log. It returns NotFound if the organisation has no such email, and Conflict if there is an entry with the cause
	// of this one.
	ResendEmail(ctx context.Context, organisationID, id string, now time.Time, entry audit.Entry) error
	// SweepFinishedEmails deletes the emails that were finished before the given time.
	SweepFinishedEmails(ctx context.Context, before time.Time) error
}
