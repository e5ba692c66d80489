package stripepayment

import (
	"cmp"
	"context"
	"sync"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/catalogue"
)

// metaLicense is a key in the metadata of a subscription or its price. The value licenseNone marks a subscription to
// another product, which is ignored.
const (
	metaLicense = "license"
	licenseNone = "none"
)

// fallbackPlanName names an operator's plan whose price and product have no name.
const fallbackPlanName = "Custom plan"

// operatorPriceRef returns the reference of a price outside the catalogue, which an operator has created at Stripe. Its
// Product is the display name, and its Interval is empty unless the price is charged once a month or a year.
func (p *Provider) operatorPriceRef(ctx context.Context, price *stripe.Price, currency string) catalogue.PriceRef {
	name := cmp.Or(price.Nickname, p.productName(ctx, price.Product), fallbackPlanName)
	if _, isPlan := p.Catalogue.Plan(name); isPlan {
		name = "Custom " + name // ids of the catalogue name its own plans
	}
	return catalogue.PriceRef{Product: name, Interval: intervalOf(price), Currency: currency}
}

// intervalOf returns the interval at which the price is charged, or "" if the catalogue has no such interval.
func intervalOf(price *stripe.Price) catalogue.Interval {
	for _, interval := range catalogue.Intervals() {
		if hasInterval(price, interval) {
			return interval
		}
	}
	return ""
}

// isIgnored reports whether an operator has marked the subscription as being for another product.
func isIgnored(s *stripe.Subscription) bool {
	if s.Metadata[metaLicense] == licenseNone {
		return true
	}
	price := firstItem(s).Price
	return price == nil && s.Metadata[metaProduct] == "" || price != nil && price.Metadata[metaLicense] == licenseNone
}

// isOperatorManaged reports whether only an operator can change the plan: the subscription has an operator's schedule, or its
// invoices are sent by email, for which Stripe accepts no pending update.
func isOperatorManaged(s *stripe.Subscription) bool {
	return hasOperatorSchedule(s) || invoicingOf(s) != nil
}

// hasOperatorSchedule reports whether the subscription has a schedule that this package has not created. A schedule of
// this package has one next phase, which begins at the renewal and charges one plan for one period. After that phase the
// schedule releases the subscription.
func hasOperatorSchedule(s *stripe.Subscription) bool {
	schedule := s.Schedule
	if !ownsSubscription(schedule) {
		return false
	}
	if schedule.EndBehavior == stripe.SubscriptionScheduleEndBehaviorCancel {
		return true
	}
	next := nextPhase(schedule)
	if next == nil {
		return false
	}
	for _, phase := range schedule.Phases {
		if phase.StartDate > next.StartDate {
			return true
		}
	}
	return changesAfterRenewal(s) || len(next.Items) != 1 || next.Items[0].Quantity > 1 || next.Items[0].Price.ID == currentPriceID(s)
}

// productNames caches the names of products by id.
type productNames struct {
	mu    sync.Mutex
	names map[string]string
}

// productName returns the name of the product, which it reads once. It returns "" if the product can't be read, for
// example because the API key is restricted.
func (p *Provider) productName(ctx context.Context, product *stripe.Product) string {
	if product == nil || product.Name != "" {
		return nameOf(product)
	}
	p.products.mu.Lock()
	name, isKnown := p.products.names[product.ID]
	p.products.mu.Unlock()
	if isKnown || checkID(product.ID, "product") != nil {
		return name
	}
	readProduct, err := p.stripe.V1Products.Retrieve(ctx, product.ID, nil)
	if err != nil {
		_ = p.logFault(ctx, "read product", err)
		return ""
	}
	p.products.mu.Lock()
	defer p.products.mu.Unlock()
	p.products.names[product.ID] = readProduct.Name
	return readProduct.Name
}

func nameOf(product *stripe.Product) string {
	if product == nil {
		return ""
	}
	return product.Name
}
