package app

import "github.com/vc-admin/diy/domain/catalogue"

// PriceChoice is a price as a caller names it: three words that must agree.
type PriceChoice struct {
	PriceID  string // such as "professional_yearly"
	Interval string
	Currency string // in either case
}

// resolve finds the price in the catalogue; Invalid when it is not for sale.
func (c PriceChoice) resolve(from *catalogue.Catalogue) (catalogue.PriceRef, error) {
	return from.Resolve(c.PriceID, c.Interval, c.Currency)
}
