package stripeserver

import (
	"fmt"
	"maps"

	"github.com/vc-admin/diy/domain/catalogue"
)

// notes is what Stripe keeps of the provider's things and the provider has no use for.
type notes struct {
	customers map[string]object            // name, e-mail, phone, address, description
	metadata  map[string]map[string]string // of whatever has an id
	prices    map[soldPrice]string         // the id of the price by which a subscription was sold a plan
	held      map[string]bool              // invoices that are not advanced automatically
	detached  map[string]object            // cards that were taken off a customer
}

func newNotes() notes {
	return notes{
		customers: map[string]object{}, metadata: map[string]map[string]string{}, prices: map[soldPrice]string{},
		held: map[string]bool{}, detached: map[string]object{},
	}
}

// soldPrice is what a subscription was sold, or is to be changed to.
type soldPrice struct {
	subscription string
	ref          catalogue.PriceRef
}

func (n notes) notePrice(subscriptionID string, ref catalogue.PriceRef, priceID string) {
	n.prices[soldPrice{subscriptionID, ref}] = priceID
}

// metadataOf is a copy.
func (n notes) metadataOf(id string) map[string]string {
	out := map[string]string{}
	maps.Copy(out, n.metadata[id])
	return out
}

// Stripe's limits.
const (
	mostMetadata     = 50
	longestMetaName  = 40
	longestMetaValue = 500
)

// checkMetadata refuses what is too much or too long.
func (c *call) checkMetadata() error {
	given := c.form.sub("metadata")
	if len(given) > mostMetadata {
		return invalidRequest("", "metadata", "You can have up to 50 metadata keys.")
	}
	for name, value := range given {
		if len(name) > longestMetaName || len(value) > longestMetaValue {
			return invalidRequest("", "metadata", fmt.Sprintf("Metadata keys can have up to 40 characters and values up to 500: %s", name))
		}
	}
	return nil
}

// noteMetadata merges what was given into what there is; an empty value takes the name out.
func (c *call) noteMetadata(id string) {
	merged := c.notes.metadataOf(id)
	for name, value := range c.form.sub("metadata") {
		merged[name] = value
		if value == "" {
			delete(merged, name)
		}
	}
	c.notes.metadata[id] = merged
}
