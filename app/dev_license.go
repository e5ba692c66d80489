package app

import (
	"context"

	"github.com/vc-admin/diy/app/internal/ids"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// GrantDevLicense grants an organisation a developer license. It is used by the command line.
type GrantDevLicense struct {
	catalogue *catalogue.Catalogue
	store     storage.Organisations
}

// Do grants a license for the product, in the catalogue's default interval and currency. It replaces an
// earlier developer license. NotFound for an unknown organisation, Invalid for an unknown product.
func (u *GrantDevLicense) Do(ctx context.Context, organisationID, product string) error {
	if _, known := u.catalogue.Plan(product); !known {
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
