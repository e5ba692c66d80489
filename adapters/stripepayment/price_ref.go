package stripepayment

import (
	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/catalogue"
)

// refOf says which of our prices a subscription is for: the zero reference when it is for none of
// them, because somebody sells the same customer something else.
func (p *Provider) refOf(s *stripe.Subscription) catalogue.PriceRef {
	for _, item := range items(s) {
		product, interval, ours := p.named(item.Price)
		if ours {
			return catalogue.PriceRef{Product: product, Interval: interval, Currency: code(s.Currency)}
		}
	}
	product, interval, err := catalogue.ParsePriceID(s.Metadata[metaProduct] + "_" + s.Metadata[metaInterval])
	if err != nil {
		return catalogue.PriceRef{}
	}
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: code(s.Currency)}
}

// named is what a price calls itself: by the lookup key it is sold under, or, after another price
// has taken the key over, by its metadata. A key that only looks like one of ours names a product
// that is not in the catalogue.
func (p *Provider) named(price *stripe.Price) (product string, interval catalogue.Interval, ours bool) {
	if price == nil {
		return "", "", false
	}
	mark := price.Metadata[metaPrice]
	for _, name := range []string{price.LookupKey, mark} {
		product, interval, err := catalogue.ParsePriceID(name)
		if _, sold := p.Catalogue.Plan(product); err == nil && (sold || mark != "") {
			return product, interval, true
		}
	}
	return "", "", false
}

// items is what is on the subscription.
func items(s *stripe.Subscription) []*stripe.SubscriptionItem {
	if s.Items == nil {
		return nil
	}
	return s.Items.Data
}
