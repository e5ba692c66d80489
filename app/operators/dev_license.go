package operators

import (
	"context"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// licenseStore is the part of the store that developer licenses need.
type licenseStore interface {
	storage.Organisations
	storage.Invoices
	storage.AuditLog
}

// GrantDevLicense grants an organisation a developer license.
type GrantDevLicense struct {
	catalogue *catalogue.Catalogue
	store     licenseStore
}

// Do grants a license for the product, in the catalogue's default interval and currency. It replaces an earlier developer
// license. It returns NotFound for an unknown organisation, Invalid for an unknown product, and Conflict while a plan is live.
func (u *GrantDevLicense) Do(ctx context.Context, req ActionRequest, product string) error {
	if err := Require(ctx, MayManageDevLicenses); err != nil {
		return err
	}
	if _, ok := u.catalogue.Plan(product); !ok {
		return fault.Newf(fault.Invalid, "There is no plan %q.", product)
	}
	price := catalogue.PriceRef{
		Product: product, Interval: u.catalogue.DefaultInterval(), Currency: u.catalogue.DefaultCurrency(),
	}
	return updateLicense(ctx, u.store, req, audit.OperatorGrantedLicense, audit.Data{"plan": product},
		func(o *account.Organisation) error { return o.Billing.GrantDevLicense("dev_"+req.Key, price) })
}

// Preview returns the effect, or the error of Do.
func (u *GrantDevLicense) Preview(ctx context.Context, organisationID string) (Effect, error) {
	return previewLicense(ctx, u.store, organisationID, func(o account.Organisation) error { return o.Billing.CheckGrantDevLicense() })
}

// Products returns the products for which a license can be granted.
func (u *GrantDevLicense) Products() (products []string) {
	for _, plan := range u.catalogue.Plans() {
		products = append(products, plan.ID)
	}
	return products
}

// EndDevLicense ends the developer license of an organisation.
type EndDevLicense struct{ store licenseStore }

// Do removes the license. It returns Conflict if there is none.
func (u *EndDevLicense) Do(ctx context.Context, req ActionRequest) error {
	if err := Require(ctx, MayManageDevLicenses); err != nil {
		return err
	}
	return updateLicense(ctx, u.store, req, audit.OperatorEndedLicense, nil,
		func(o *account.Organisation) error { return o.Billing.EndDevLicense() })
}

// Preview returns the effect, or the error of Do.
func (u *EndDevLicense) Preview(ctx context.Context, organisationID string) (Effect, error) {
	return previewLicense(ctx, u.store, organisationID, func(o account.Organisation) error { return o.Billing.CheckEndDevLicense() })
}

func previewLicense(
	ctx context.Context, store licenseStore, organisationID string, check func(account.Organisation) error,
) (effect Effect, err error) {
	if err := Require(ctx, MayManageDevLicenses); err != nil {
		return effect, err
	}
	org, err := store.Organisation(ctx, organisationID)
	if err != nil {
		return effect, err
	}
	return licenseEffect(org), check(org)
}

func licenseEffect(org account.Organisation) (effect Effect) {
	license := "none"
	if l := org.Billing.DevLicense; l != nil {
		license = l.Price.Product
	}
	effect.add("Developer license", license)
	return effect
}

// updateLicense changes the license and adds the entry in one transaction, unless the key of the request was used before.
func updateLicense(
	ctx context.Context, store licenseStore, req ActionRequest, kind audit.Kind, data audit.Data,
	change func(*account.Organisation) error,
) error {
	return actOnce(ctx, store, req, func(req ActionRequest) error {
		entry := req.entry(ctx, kind)
		entry.Data = mergeData(entry.Data, data)
		_, err := store.UpdateBilling(ctx, req.OrganisationID, storage.BillingUpdate{Entries: []audit.Entry{*entry}},
			func(o *account.Organisation) error {
				if err := req.checkFigures(licenseEffect(*o)); err != nil {
					return err
				}
				return change(o)
			})
		return err
	})
}
