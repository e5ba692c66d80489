package notices

import (
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// frame returns the data that all emails share. Their amounts are in the organisation's currency.
func (w Writer) frame(org account.Organisation) emails.Frame {
	tax, _ := w.catalogue.Tax(org.Billing.Currency)
	return emails.Frame{
		OrganisationName: org.Name, Sender: w.sender, PublicURL: w.publicURL, Zone: org.TimeZone(), TaxName: tax.Name,
	}
}

func (w Writer) plan(ref catalogue.PriceRef, price money.Amount) emails.Plan {
	return emails.Plan{Name: w.catalogue.PlanName(ref.Product), Interval: ref.Interval, Price: price}
}
