package storage

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
)

// Attention lists the problems that operators should look at. The limits bound the number of results.
type Attention interface {
	// OverdueOrganisations returns organisations with a subscription that is past due, in the order of their ids.
	OverdueOrganisations(ctx context.Context, limit int) ([]account.Organisation, error)
	// DelayedEmails returns the emails in the outbox that were tried at least once, oldest first. They have no Message, which
	// contains personal data and tokens.
	DelayedEmails(ctx context.Context, limit int) ([]Email, error)
	// FailedEmails returns the entries of the audit log about emails that will not be sent, newest first.
	FailedEmails(ctx context.Context, limit int) ([]audit.Entry, error)
	// Backlog describes the queues. It counts at most BacklogLimit entries of each.
	Backlog(ctx context.Context) (Backlog, error)
}
