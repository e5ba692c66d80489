package app

import (
	"context"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

// ListHolds returns the organisations on hold, for operators.
type ListHolds struct{ store storage.Organisations }

// Do returns the organisations in the order of their ids.
func (u *ListHolds) Do(ctx context.Context) ([]account.Organisation, error) {
	return u.store.OrganisationsOnHold(ctx)
}

// maxLifts limits the lifted holds of a report.
const maxLifts = 500

// HoldReport contains the data with which an operator decides about a hold.
type HoldReport struct {
	Organisation     account.Organisation
	Customer         billing.Customer          // the zero value if the organisation has none
	ReturnedPayments []billing.ReturnedPayment // newest first
	Lifts            []audit.Entry             // the entries about operators who lifted a hold, newest first
}

// ShowHold returns an organisation's returned payments and its hold, if any, for operators.
type ShowHold struct {
	store interface {
		storage.Organisations
		storage.AuditLog
	}
	provider interface {
		customerReader
		ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error)
	}
	sync *billingsync.Sync
}

// Do returns the report. It first refreshes our copy. If the customer was deleted at the provider, it removes the
// customer.
func (u *ShowHold) Do(ctx context.Context, organisationID string) (HoldReport, error) {
	org, err := u.refresh(ctx, organisationID)
	if err != nil {
		return HoldReport{}, err
	}
	report := HoldReport{Organisation: org}
	report.Lifts, err = u.store.OrganisationAuditEntries(ctx, org.ID, 0, maxLifts, audit.OperatorLiftedHold)
	if err != nil || org.Billing.CustomerID == "" {
		return report, err
	}
	if report.Customer, err = u.provider.Customer(ctx, org.Billing.CustomerID); err != nil {
		return report, err
	}
	report.ReturnedPayments, err = u.provider.ReturnedPayments(ctx, org.Billing.CustomerID)
	return report, err
}

// refresh returns the organisation as the provider reports it.
func (u *ShowHold) refresh(ctx context.Context, organisationID string) (account.Organisation, error) {
	org, err := u.sync.Refresh(ctx, organisationID)
	if err == nil {
		return org, nil
	}
	if err := removeCustomerIfDeleted(ctx, u.store, u.provider, org, err); err != nil {
		return org, err
	}
	return u.store.Organisation(ctx, organisationID)
}
