package operators

import (
	"context"

	"github.com/vc-admin/diy/app/privacy"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

// ExportOrganisation exports the data of an organisation.
type ExportOrganisation struct{ export *privacy.ExportData }

// Do returns the data, after it has stored an entry about the export.
func (u *ExportOrganisation) Do(ctx context.Context, organisationID string) (privacy.Export, error) {
	if err := Require(ctx, MayExportData); err != nil {
		return privacy.Export{}, err
	}
	return u.export.ForOrganisation(ctx, organisationID)
}

// EraseOrganisation requests the erasure of an organisation, as an owner does.
type EraseOrganisation struct{ request *privacy.RequestErasure }

// Do stores the request and emails all owners, who can withdraw it until the returned status says that it is due. It returns
// Conflict with the reason if the data can't be erased now.
func (u *EraseOrganisation) Do(ctx context.Context, organisationID string) (privacy.Status, error) {
	if err := Require(ctx, MayErase); err != nil {
		return privacy.Status{}, err
	}
	return u.request.ForOrganisation(ctx, organisationID, FromContext(ctx).Name, nil)
}

// KeepOrganisation withdraws the request for an erasure.
type KeepOrganisation struct{ withdraw *privacy.WithdrawErasure }

// Do withdraws the request and emails all owners. It returns NotFound without a request.
func (u *KeepOrganisation) Do(ctx context.Context, organisationID string) (privacy.Status, error) {
	if err := Require(ctx, MayErase); err != nil {
		return privacy.Status{}, err
	}
	return u.withdraw.ForOrganisation(ctx, organisationID)
}

// EraseOrganisationAgain repeats an erasure that a restored backup has undone.
type EraseOrganisationAgain struct{ erase *privacy.CarryOutErasures }

// Do erases the organisation without a delay. It returns NotFound if the organisation does not exist.
func (u *EraseOrganisationAgain) Do(ctx context.Context, organisationID string) error {
	if err := Require(ctx, MayErase); err != nil {
		return err
	}
	return u.erase.EraseNow(ctx, organisationID)
}

// PendingErasure is a requested erasure.
type PendingErasure struct {
	account.Erasure
	Obstacle string // why the data can't be erased now; "" if it can
}

// ShowErasures returns the requested erasures.
type ShowErasures struct{ list *privacy.ListErasures }

// Do returns the requests in the order of their organisations, with the reason why each would be refused now.
func (u *ShowErasures) Do(ctx context.Context) (pending []PendingErasure, err error) {
	if err := Require(ctx, MayErase); err != nil {
		return nil, err
	}
	statuses, err := u.list.Do(ctx)
	for _, status := range statuses {
		pending = append(pending, PendingErasure{status.Erasure, status.Obstacle})
	}
	return pending, err
}

// FindKeptInvoices finds the invoices of erased organisations. They are found by their number only.
type FindKeptInvoices struct {
	store interface {
		storage.Privacy
		storage.AuditLog
	}
}

// Do returns the invoices with the number, after it has stored an entry about each of them.
func (u *FindKeptInvoices) Do(ctx context.Context, number string) ([]storage.KeptInvoice, error) {
	if err := Require(ctx, MayViewKeptInvoices); err != nil {
		return nil, err
	}
	invoices, err := u.store.KeptInvoices(ctx, number)
	if err != nil {
		return nil, err
	}
	var entries []audit.Entry
	for _, kept := range invoices {
		entries = append(entries, audit.Entry{
			OrganisationID: kept.OrganisationID, Kind: audit.OperatorViewedKeptInvoice, Subject: audit.Code(kept.Invoice.ID),
			Data: audit.Data{"number": audit.Code(number)},
		})
	}
	if err := u.store.AddAuditEntries(ctx, entries...); err != nil {
		return nil, err
	}
	return invoices, nil
}
