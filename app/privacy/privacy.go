// Package privacy contains the use cases that export and erase the data of an organisation. An owner requests the
// erasure, each owner can withdraw the request for account.ErasureDelay, and a worker carries it out after that. Invoices
// are kept as long as the law requires.
package privacy

import (
	"context"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// DefaultKeepYears is the number of years for which invoices are kept after the year of the last one, unless
// Ports.KeepYears is set.
const DefaultKeepYears = 10

// MinKeepYears is the shortest retention that the supported countries require; see docs/privacy.md.
const MinKeepYears = 5

// Store is the part of the store that the use cases need.
type Store interface {
	storage.Privacy
	storage.Teams
	storage.AuditLog
}

// Provider is the part of the payment provider that the use cases need.
type Provider interface {
	payment.Customers
	payment.Cards
	payment.Invoices
	Capabilities() payment.Capabilities
}

// Ports contains the dependencies of the use cases.
type Ports struct {
	Store     Store
	Provider  Provider
	Clock     clock.Clock
	Log       *slog.Logger
	PublicURL string // prefix of the links in emails, without a slash at the end
	Sender    emails.Sender
	KeepYears int // 0 means DefaultKeepYears
}

// UseCases contains the use cases of the package.
type UseCases struct {
	ShowPrivacy      *ShowPrivacy
	ExportData       *ExportData
	RequestErasure   *RequestErasure
	WithdrawErasure  *WithdrawErasure
	CarryOutErasures *CarryOutErasures
	ListErasures     *ListErasures
}

// New returns the use cases, connected with the ports. It calls no port.
func New(p Ports) UseCases {
	if p.KeepYears == 0 {
		p.KeepYears = DefaultKeepYears
	}
	eraser := eraser{p}
	return UseCases{
		ShowPrivacy:      &ShowPrivacy{eraser},
		ExportData:       &ExportData{p},
		RequestErasure:   &RequestErasure{eraser},
		WithdrawErasure:  &WithdrawErasure{eraser},
		CarryOutErasures: &CarryOutErasures{eraser: eraser},
		ListErasures:     &ListErasures{eraser},
	}
}

// Status describes what an owner can do with the organisation's data.
type Status struct {
	Organisation string          // the name, which confirms a request
	Erasure      account.Erasure // zero without a request
	Obstacle     string          // why the data can't be erased now; "" if it can
	KeepUntil    time.Time       // the day before which invoices are kept; zero without an invoice
}

// ShowPrivacy returns the status of the caller's organisation.
type ShowPrivacy struct{ eraser eraser }

// Do returns the status. Only owners get it.
func (u *ShowPrivacy) Do(ctx context.Context, caller identity.Identity) (Status, error) {
	if err := caller.Require(account.ManageMembers); err != nil {
		return Status{}, err
	}
	return u.eraser.status(ctx, caller.OrganisationID)
}

func (e eraser) status(ctx context.Context, organisationID string) (Status, error) {
	state, err := e.Store.ErasureState(ctx, organisationID)
	if err != nil {
		return Status{}, err
	}
	status := Status{
		Organisation: state.Organisation.Name, Erasure: state.Erasure, KeepUntil: billing.KeepInvoicesUntil(state.Invoices, e.KeepYears),
	}
	if err := e.check(state); err != nil {
		status.Obstacle = fault.MessageOf(err)
	}
	return status, nil
}

// ListErasures returns the requested erasures, for operators.
type ListErasures struct{ eraser eraser }

// Do returns the status of each organisation with a request, in the order of their ids.
func (u *ListErasures) Do(ctx context.Context) (statuses []Status, err error) {
	e := u.eraser
	// Every request is due by then, also one that a server whose clock is ahead has stored.
	allDueAt := e.Clock.Now().Add(2 * account.ErasureDelay)
	for after := ""; ; {
		requests, err := e.Store.DueErasures(ctx, allDueAt, after, batchSize)
		if err != nil {
			return nil, err
		}
		for _, request := range requests {
			after = request.OrganisationID
			status, err := e.status(ctx, request.OrganisationID)
			if fault.Is(err, fault.NotFound) {
				continue // erased meanwhile
			}
			if err != nil {
				return nil, err
			}
			statuses = append(statuses, status)
		}
		if len(requests) < batchSize {
			return statuses, nil
		}
	}
}

// RequestErasure requests the erasure of the caller's organisation.
type RequestErasure struct{ eraser eraser }

// Do stores the request and emails all owners, who can withdraw it. confirmation is the name of the organisation, as the
// caller has typed it. It returns Invalid for another name, and Conflict with the reason if the data can't be erased now.
func (u *RequestErasure) Do(ctx context.Context, caller identity.Identity, confirmation string) (Status, error) {
	if err := caller.Require(account.ManageMembers); err != nil {
		return Status{}, err
	}
	if err := caller.RequireFresh(u.eraser.Clock.Now()); err != nil {
		return Status{}, err
	}
	ctx = audit.WithDefaultActor(ctx, caller.Actor())
	return u.ForOrganisation(ctx, caller.OrganisationID, caller.UserID, &confirmation)
}

// ForOrganisation requests the erasure for an operator. confirmation is nil if none is needed.
func (u *RequestErasure) ForOrganisation(ctx context.Context, organisationID, requestedBy string, confirmation *string) (Status, error) {
	e := u.eraser
	now := e.Clock.Now()
	request := account.NewErasure(organisationID, requestedBy, now)
	state, err := e.Store.ErasureState(ctx, organisationID)
	if err != nil {
		return Status{}, err
	}
	dueDate := state.Organisation.TimeZone().Date(request.DueAt)
	owners, err := e.ownerEmails(ctx, state.Organisation, func(n emails.MemberNotice) mail.Message {
		return emails.ErasureRequested(n, dueDate, e.keptText(state))
	})
	if err != nil {
		return Status{}, err
	}
	check := func(state storage.ErasureState) error {
		if confirmation != nil {
			if err := state.Organisation.CheckErasureConfirmation(*confirmation); err != nil {
				return err
			}
		}
		return e.check(state)
	}
	entry := audit.Entry{
		OrganisationID: organisationID, Kind: audit.ErasureRequested, Data: audit.Data{"due": request.DueAt.Format(time.DateOnly)},
	}
	if err := e.Store.RequestErasure(ctx, request, check, owners, entry); err != nil {
		return Status{}, err
	}
	return e.status(ctx, organisationID)
}

// WithdrawErasure withdraws the request.
type WithdrawErasure struct{ eraser eraser }

// Do withdraws the request of any owner or operator, and emails all owners. It returns NotFound without a request.
func (u *WithdrawErasure) Do(ctx context.Context, caller identity.Identity) (Status, error) {
	if err := caller.Require(account.ManageMembers); err != nil {
		return Status{}, err
	}
	return u.ForOrganisation(audit.WithDefaultActor(ctx, caller.Actor()), caller.OrganisationID)
}

// ForOrganisation withdraws the request for an operator.
func (u *WithdrawErasure) ForOrganisation(ctx context.Context, organisationID string) (Status, error) {
	e := u.eraser
	state, err := e.Store.ErasureState(ctx, organisationID)
	if err != nil {
		return Status{}, err
	}
	owners, err := e.ownerEmails(ctx, state.Organisation, emails.ErasureWithdrawn)
	if err != nil {
		return Status{}, err
	}
	entry := audit.Entry{OrganisationID: organisationID, Kind: audit.ErasureWithdrawn}
	if err := e.Store.WithdrawErasure(ctx, organisationID, e.Clock.Now(), owners, entry); err != nil {
		return Status{}, err
	}
	return e.status(ctx, organisationID)
}
