package operators

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// attentionLimit is the number of lines of each part of the page.
	attentionLimit = 50
	// stuckAfter is the age at which an operation needs attention. The reconciler has tried to settle it at a lower age.
	stuckAfter = 5 * time.Minute
)

// Attention contains the organisations, operations and emails that operators should check.
type Attention struct {
	OnHold       []account.Organisation // with disputed payments
	Overdue      []account.Organisation // whose payment failed or is late
	Stuck        []storage.PendingOperation
	FailedEmails []audit.Entry // newest first
}

// ShowAttention returns the organisations, operations and emails that operators should check.
type ShowAttention struct {
	store interface {
		storage.Organisations
		storage.Operations
		storage.Attention
	}
}

// Do returns at most attentionLimit lines of each part.
func (u *ShowAttention) Do(ctx context.Context) (a Attention, err error) {
	if err := Require(ctx, MayViewAttention); err != nil {
		return a, err
	}
	if a.OnHold, err = u.store.OrganisationsOnHold(ctx); err != nil {
		return a, err
	}
	a.OnHold = a.OnHold[:min(len(a.OnHold), attentionLimit)]
	if a.Overdue, err = u.store.OverdueOrganisations(ctx, attentionLimit); err != nil {
		return a, err
	}
	if a.Stuck, err = u.store.PendingOperations(ctx, stuckAfter, attentionLimit); err != nil {
		return a, err
	}
	a.FailedEmails, err = u.store.FailedEmails(ctx, attentionLimit)
	return a, err
}

// Work describes the background work of all servers.
type Work struct {
	Backlog storage.Backlog
	Pending []storage.PendingOperation // oldest first
	Emails  []storage.Email            // that were tried and are not sent yet, oldest first
}

// ShowWork describes the background work.
type ShowWork struct {
	store interface {
		storage.Operations
		storage.Attention
	}
}

// Do returns at most attentionLimit lines of each part.
func (u *ShowWork) Do(ctx context.Context) (w Work, err error) {
	if err := Require(ctx, MayViewWork); err != nil {
		return w, err
	}
	if w.Backlog, err = u.store.Backlog(ctx); err != nil {
		return w, err
	}
	if w.Pending, err = u.store.PendingOperations(ctx, 0, attentionLimit); err != nil {
		return w, err
	}
	w.Emails, err = u.store.DelayedEmails(ctx, attentionLimit)
	return w, err
}
