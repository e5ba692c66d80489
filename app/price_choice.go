package app

import "github.com/vc-admin/diy/domain/catalogue"

// PriceChoice selects a price of the catalogue. Interval and Currency are the values that the caller has displayed. The
// request is Invalid if the price has others.
type PriceChoice struct {
	PriceID  string // such as "professional_yearly"
	Interval string // "monthly" or "yearly"
	Currency string // an ISO 4217 code in upper or lower case
}

// resolve returns the price. It returns Invalid when the price is not for sale.
func (c PriceChoice) resolve(prices *catalogue.Catalogue) (catalogue.PriceRef, error) {
	return prices.ResolvePrice(c.PriceID, c.Interval, c.Currency)
}
