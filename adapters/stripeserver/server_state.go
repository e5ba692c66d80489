package stripeserver

import (
	"fmt"
	"maps"

	"github.com/vc-admin/diy/domain/catalogue"
)

// serverState contains data that Stripe stores and the fake provider does not.
type serverState struct {
	customers            map[string]object            // name, email, phone, address and description, by the customer's id
	metadata             map[string]map[string]string // by the id of any object
	soldPriceIDs         map[subscriptionPrice]string // the id of the price at which a plan was sold to a subscription
	autoAdvanceDisabled  map[string]bool              // invoices with auto_advance=false
	detachedMethods      map[string]object            // payment methods after they were detached
	schedules            map[string]*schedule         // by their id
	taxRates             []*taxRate                   // newest first
	subscriptionTaxRates map[string][]string          // the ids of a subscription's tax rates
	methodTypes          map[string][]string          // the types of payment methods that a subscription may charge
	taxIDs               map[string][]taxID           // by the customer's id, newest first
	purchaseOrders       map[string]string            // the first custom field of invoices, by the customer's id
	balanceTransactions  map[string][]object          // by the customer's id, newest first
	refunds              map[string][]*refund         // by the charge's id, newest first
	creditNotes          []*creditNote                // newest first
}

func newServerState() serverState {
	return serverState{
		customers: map[string]object{}, metadata: map[string]map[string]string{}, soldPriceIDs: map[subscriptionPrice]string{},
		autoAdvanceDisabled: map[string]bool{}, detachedMethods: map[string]object{}, schedules: map[string]*schedule{},
		subscriptionTaxRates: map[string][]string{}, methodTypes: map[string][]string{}, taxIDs: map[string][]taxID{},
		purchaseOrders: map[string]string{}, balanceTransactions: map[string][]object{}, refunds: map[string][]*refund{},
	}
}

// subscriptionPrice identifies a price that a subscription has or will change to.
type subscriptionPrice struct {
	subscriptionID string
	ref            catalogue.PriceRef
}

// setSoldPrice stores which price a request has named for the subscription.
func (s serverState) setSoldPrice(subscriptionID string, ref catalogue.PriceRef, priceID string) {
	s.soldPriceIDs[subscriptionPrice{subscriptionID, ref}] = priceID
}

// saveMethodTypes stores the types of payment methods that the subscription may charge, if the request has any.
func (c *call) saveMethodTypes(subscriptionID string) {
	if types := c.form.list("payment_settings[payment_method_types]"); len(types) > 0 {
		c.state.methodTypes[subscriptionID] = types
	}
}

// metadataOf returns a copy of the object's metadata.
func (s serverState) metadataOf(id string) map[string]string {
	metadata := map[string]string{}
	maps.Copy(metadata, s.metadata[id])
	return metadata
}

// Stripe's limits for metadata.
const (
	maxMetadataEntries     = 50
	maxMetadataKeyLength   = 40
	maxMetadataValueLength = 500
)

// checkMetadata refuses metadata that exceeds the limits.
func (c *call) checkMetadata() error {
	metadata := c.form.hash("metadata")
	if len(metadata) > maxMetadataEntries {
		return invalidRequestError("", "metadata", "You can have up to 50 metadata keys.")
	}
	for name, value := range metadata {
		if len(name) > maxMetadataKeyLength || len(value) > maxMetadataValueLength {
			return invalidRequestError("", "metadata",
				fmt.Sprintf("Metadata keys can have up to 40 characters and values up to 500: %s", name))
		}
	}
	return nil
}

// saveMetadata merges the request's metadata into the object's metadata. An empty value removes its key.
func (c *call) saveMetadata(id string) {
	metadata := c.state.metadataOf(id)
	for name, value := range c.form.hash("metadata") {
		metadata[name] = value
		if value == "" {
			delete(metadata, name)
		}
	}
	c.state.metadata[id] = metadata
}
