package payment

import (
	"net/http"
	"net/url"
	"time"
)

// Delivery is a webhook request that is not verified yet.
type Delivery struct {
	Header http.Header
	// Query is the query of the webhook's URL. An adapter that sets the URL of the webhook for each payment can put a
	// reference in it. The signature of the body does not cover it.
	Query url.Values
	Body  []byte
}

// EventKind is the kind of object that an event is about.
type EventKind string

// The kinds of events. The application ignores OtherEvent.
const (
	SubscriptionChanged EventKind = "subscription" // a subscription or one of its invoices
	CustomerChanged     EventKind = "customer"     // the customer's data, default card or cards
	CustomerDeleted     EventKind = "customer_deleted"
	OtherEvent          EventKind = "other"
)

// Event reports that something changed at the provider. Deliveries can be late, repeated and out of
// order, so the receiver reads the object's current state from the provider.
type Event struct {
	ID             string // the provider's id; the same for every delivery of the same event
	Kind           EventKind
	Type           string // the provider's name of the event type, for logs
	CustomerID     string
	SubscriptionID string // "" if the event is not about a subscription
	// InvoiceIDs contains the invoices that the event is about, including invoices whose payment was refunded or
	// disputed. The receiver reads them even if they are older than the invoices of an ordinary refresh.
	InvoiceIDs []string
	CreatedAt  time.Time
	// Unsigned means that anyone can have sent the event. The receiver limits how often it acts on such events and
	// does not trust their contents. Several of them may have the same ID.
	Unsigned bool
}
