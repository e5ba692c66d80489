package payment

import (
	"net/http"
	"time"
)

// Delivery is a webhook request as it arrived.
type Delivery struct {
	Header http.Header
	Body   []byte
}

// EventKind is the kind of object that an event is about.
type EventKind string

// The kinds of events that the application handles; all others are Other.
const (
	SubscriptionChanged EventKind = "subscription" // a subscription or one of its invoices
	CustomerChanged     EventKind = "customer"     // the customer's data, default card or cards
	CustomerDeleted     EventKind = "customer_deleted"
	Other               EventKind = "other"
)

// Event is a hint that something changed at the provider. Deliveries come late, twice and out of
// order, so the receiver reads the object's current state instead of using the payload.
type Event struct {
	ID             string // the provider's id; the same for every delivery of the same event
	Kind           EventKind
	Type           string // the provider's name for it, for logs
	CustomerID     string
	SubscriptionID string // "" when the event is not about one
	// InvoiceIDs are the invoices that the event is about, also by the return of their payment. The receiver reads them
	// although they may be older than the invoices that it reads otherwise.
	InvoiceIDs []string
	CreatedAt  time.Time
	// Unsigned means that anyone can have sent the event. Its receiver limits how often it acts on such
	// events, and looks up everything that they state. Its ID may be used again.
	Unsigned bool
}
