package storage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/mail"
)

// CallerChecks stores the codes with which callers prove to operators that they read the emails of a member.
type CallerChecks interface {
	// CallerCheck returns the check of an organisation, or NotFound if there is none.
	CallerCheck(ctx context.Context, organisationID string) (account.CallerCheck, error)
	// UpdateCallerCheck calls change with the check of the organisation, or with a new one, and stores the result together with
	// what change returns. No other update of the check happens in between. It returns NotFound for an unknown
	// organisation.
	UpdateCallerCheck(ctx context.Context, organisationID string, now time.Time,
		change func(*account.CallerCheck) (CallerCheckEffects, error)) error
	// SweepCallerChecks deletes the checks whose code expired before the given time.
	SweepCallerChecks(ctx context.Context, before time.Time) error
}

// CallerCheckEffects contains what UpdateCallerCheck stores besides the check.
type CallerCheckEffects struct {
	Email *mail.Message // to the user of the check, until its code expires; nil for none
	Entry audit.Entry
}
