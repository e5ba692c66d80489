package stripepayment

import (
	"context"
	"maps"
	"sync"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// priceList is what is known of Stripe's prices, by lookup key.
type priceList struct {
	mu    sync.Mutex
	known map[string]*stripe.Price
}

func newPriceList() priceList { return priceList{known: map[string]*stripe.Price{}} }

func (l *priceList) get(key string) *stripe.Price {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known[key]
}

func (l *priceList) put(found map[string]*stripe.Price) {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.Copy(l.known, found)
}

// forget has the price asked for anew the next time.
func (l *priceList) forget(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.known, key)
}

// price is the id of Stripe's price for the reference, which costs there what it costs in the
// catalogue. What is known is good for as long as it fits; else Stripe is asked once more.
//
// A price that the catalogue lacks is Invalid. One that Stripe lacks, or sells for another amount,
// is Conflict: what was shown is what is charged, or nothing is.
func (p *Provider) price(ctx context.Context, ref catalogue.PriceRef) (string, error) {
	amount, err := p.Catalogue.Price(ref)
	if err != nil {
		return "", fault.Wrap(err, fault.Invalid, "There is no such price.")
	}
	if price := p.prices.get(ref.PriceID()); price != nil && wrongWith(price, ref, amount) == "" {
		return price.ID, nil
	}
	found, err := p.lookUp(ctx, ref.PriceID())
	if err != nil {
		return "", err
	}
	p.prices.put(found)
	price := found[ref.PriceID()]
	if problem := wrongWith(price, ref, amount); problem != "" {
		p.Log.ErrorContext(ctx, "a price at stripe is not the catalogue's", "price", ref.PriceID(), "currency", ref.Currency, "problem", problem)
		return "", fault.New(fault.Conflict, "This plan can't be bought at the moment, and nothing was charged. Please contact us.")
	}
	return price.ID, nil
}

// wrongWith says why the price can't be sold for the amount; "" when it can.
func wrongWith(price *stripe.Price, ref catalogue.PriceRef, amount money.Amount) string {
	switch {
	case price == nil:
		return "is missing"
	case !price.Active:
		return "is archived"
	case !recurs(price, ref.Interval):
		return "is not paid " + string(ref.Interval)
	}
	return wrongAmount(price, amount)
}

// recurs reports whether the price is for one interval of ours and no other.
func recurs(price *stripe.Price, interval catalogue.Interval) bool {
	r := price.Recurring
	return r != nil && r.IntervalCount == 1 && r.Interval == recurrence(interval)
}

func recurrence(interval catalogue.Interval) stripe.PriceRecurringInterval {
	if interval == catalogue.Yearly {
		return stripe.PriceRecurringIntervalYear
	}
	return stripe.PriceRecurringIntervalMonth
}

// lookUp finds Stripe's prices by their lookup keys. Those that are not there are missing.
func (p *Provider) lookUp(ctx context.Context, keys ...string) (map[string]*stripe.Price, error) {
	params := &stripe.PriceListParams{LookupKeys: stripe.StringSlice(keys)}
	params.Limit = new(int64(page))
	params.AddExpand("data.currency_options")
	found := map[string]*stripe.Price{}
	for price, err := range p.stripe.V1Prices.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.fault(ctx, "look up prices", err)
		}
		found[price.LookupKey] = price
	}
	return found, nil
}
