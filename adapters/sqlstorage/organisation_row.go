package sqlstorage

import (
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
)

var (
	organisations      = tableOf[organisationRow]("organisations")
	insertOrganisation = organisations.inserts()
	updateOrganisation = organisations.updates("created_at")
)

// organisationRow is an organisation without its subscriptions.
type organisationRow struct {
	ID              string  `db:"id"`
	Name            string  `db:"name"`
	NameKey         string  `db:"name_key"`
	ContactEmail    string  `db:"contact_email"`
	Phone           string  `db:"phone"`
	Line1           string  `db:"line1"`
	Line2           string  `db:"line2"`
	City            string  `db:"city"`
	State           string  `db:"state"`
	PostalCode      string  `db:"postal_code"`
	Country         string  `db:"country"`
	Currency        string  `db:"currency"`
	ChoiceProduct   string  `db:"choice_product"`
	ChoiceInterval  string  `db:"choice_interval"`
	CreatedAt       instant `db:"created_at"`
	CustomerID      text    `db:"customer_id"`
	BillingCurrency string  `db:"billing_currency"`
	TrialUsedAt     instant `db:"trial_used_at"`
	Revision        int64   `db:"revision"`
	CheckAt         instant `db:"check_at"`
	devLicenseColumns
}

func organisationRowOf(o account.Organisation) organisationRow {
	return organisationRow{
		ID: o.ID, Name: o.Name, NameKey: account.NameKey(o.Name), ContactEmail: o.ContactEmail, Phone: o.Phone,
		Line1: o.Address.Line1, Line2: o.Address.Line2, City: o.Address.City,
		State: o.Address.State, PostalCode: o.Address.PostalCode, Country: o.Address.Country,
		Currency: o.Currency, ChoiceProduct: o.Choice.Product, ChoiceInterval: string(o.Choice.Interval),
		CreatedAt: at(o.CreatedAt), CustomerID: orNull(o.Billing.CustomerID),
		BillingCurrency: o.Billing.Currency, TrialUsedAt: at(o.Billing.TrialUsedAt), Revision: o.Billing.Revision,
		CheckAt:           at(o.Billing.CheckAt),
		devLicenseColumns: devLicenseColumnsOf(o.Billing.DevLicense),
	}
}

func (r organisationRow) organisation(subs []subscriptionRow) account.Organisation {
	return account.Organisation{
		ID: r.ID, Name: r.Name, ContactEmail: r.ContactEmail, Phone: r.Phone,
		Currency: r.Currency, CreatedAt: r.CreatedAt.t,
		Address: account.Address{
			Line1: r.Line1, Line2: r.Line2, City: r.City,
			State: r.State, PostalCode: r.PostalCode, Country: r.Country,
		},
		Choice: account.Choice{Product: r.ChoiceProduct, Interval: catalogue.Interval(r.ChoiceInterval)},
		Billing: billing.Account{
			CustomerID: r.CustomerID.V, Currency: r.BillingCurrency, TrialUsedAt: r.TrialUsedAt.t,
			DevLicense: r.devLicense(), Subscriptions: subscriptionsOf(subs), Revision: r.Revision,
			CheckAt: r.CheckAt.t,
		},
	}
}
