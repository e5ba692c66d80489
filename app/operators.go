package app

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
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
	Lifts            []audit.Entry             // those of operators that lifted a hold, newest first
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

// LiftHold ends an organisation's hold, for operators.
type LiftHold struct {
	showHold *ShowHold
	store    interface {
		storage.Organisations
		storage.AuditLog
	}
	provider interface {
		LiftHold(ctx context.Context, req payment.HoldLift) (billing.Customer, error)
	}
	log *slog.Logger
}

// LiftHoldRequest contains the parameters of LiftHold.
type LiftHoldRequest struct {
	OrganisationID string
	Operator       string // who lifts the hold
	Reason         string // for the audit log
}

// Do lifts the hold and then returns a new report. It first records the action, so that no hold is lifted without a
// record. It returns Conflict when the organisation is not on hold, and Invalid without an operator or a reason.
func (u *LiftHold) Do(ctx context.Context, req LiftHoldRequest) (HoldReport, error) {
	ctx, note, err := security.OperatorContext(ctx, req.Operator, req.Reason)
	if err != nil {
		return HoldReport{}, err
	}
	org, err := u.showHold.refresh(ctx, req.OrganisationID)
	if err == nil && org.Billing.Hold() == billing.NoHold {
		err = fault.New(fault.Conflict, "The organisation is not on hold.")
	}
	if err != nil {
		return HoldReport{}, err
	}
	key := ids.New("act")
	entry := audit.Entry{OrganisationID: org.ID, Kind: audit.OperatorLiftedHold, Cause: key, Note: note}
	if err := u.store.AddAuditEntries(ctx, entry); err != nil {
		return HoldReport{}, err
	}
	if err := u.lift(ctx, org, key); err != nil {
		return HoldReport{}, err
	}
	u.log.InfoContext(ctx, "hold lifted", "org", org.ID, "operator", audit.ActorFromContext(ctx).ID, "action", key)
	return u.showHold.Do(ctx, org.ID)
}

// lift lifts the hold of the organisation's customer at the provider, and the stored holds of former customers.
func (u *LiftHold) lift(ctx context.Context, org account.Organisation, key string) error {
	if org.Billing.CustomerID != "" {
		_, err := u.provider.LiftHold(ctx, payment.HoldLift{Key: key, CustomerID: org.Billing.CustomerID})
		if err != nil {
			return err
		}
	}
	_, err := u.store.UpdateOrganisation(ctx, org.ID, func(o *account.Organisation) error {
		o.Billing.LiftHoldsOfFormerCustomers()
		return nil
	})
	return err
}

// GrantDevLicense grants an organisation a developer license, for operators.
type GrantDevLicense struct {
	catalogue *catalogue.Catalogue
	store     storage.Organisations
}

// Do grants a license for the product, in the catalogue's default interval and currency. It replaces an earlier developer
// license. The operator is the actor of ctx; see audit.WithActor. It returns NotFound for an unknown organisation and
// Invalid for an unknown product.
func (u *GrantDevLicense) Do(ctx context.Context, organisationID, product string) error {
	if _, ok := u.catalogue.Plan(product); !ok {
		return fault.Newf(fault.Invalid, "There is no plan %q.", product)
	}
	license := &billing.License{
		ID: ids.New("dev"), IsDev: true, Status: billing.Active,
		Price: catalogue.PriceRef{
			Product: product, Interval: u.catalogue.DefaultInterval(), Currency: u.catalogue.DefaultCurrency(),
		},
	}
	_, err := u.store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		o.Billing.DevLicense = license
		return nil
	})
	return err
}
