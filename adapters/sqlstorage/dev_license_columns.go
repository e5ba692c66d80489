package sqlstorage

import (
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

// devLicenseColumns are an organisation's developer license; without an id there is none.
type devLicenseColumns struct {
	LicenseID        text    `db:"dev_license_id"`
	LicenseProduct   string  `db:"dev_license_product"`
	LicenseInterval  string  `db:"dev_license_interval"`
	LicenseCurrency  string  `db:"dev_license_currency"`
	LicenseStatus    string  `db:"dev_license_status"`
	LicensePeriodEnd instant `db:"dev_license_current_period_end"`
	LicenseTrialEnd  instant `db:"dev_license_trial_end"`
}

func devLicenseColumnsOf(l *billing.License) devLicenseColumns {
	if l == nil {
		return devLicenseColumns{}
	}
	return devLicenseColumns{
		LicenseID: some(l.ID), LicenseProduct: l.Price.Product, LicenseInterval: string(l.Price.Interval),
		LicenseCurrency: l.Price.Currency, LicenseStatus: string(l.Status),
		LicensePeriodEnd: at(l.CurrentPeriodEnd), LicenseTrialEnd: at(l.TrialEnd),
	}
}

func (c devLicenseColumns) devLicense() *billing.License {
	if !c.LicenseID.Valid {
		return nil
	}
	return &billing.License{
		ID: c.LicenseID.V, Status: billing.Status(c.LicenseStatus), IsDev: true,
		Price: catalogue.PriceRef{
			Product: c.LicenseProduct, Interval: catalogue.Interval(c.LicenseInterval), Currency: c.LicenseCurrency,
		},
		CurrentPeriodEnd: c.LicensePeriodEnd.t, TrialEnd: c.LicenseTrialEnd.t,
	}
}
