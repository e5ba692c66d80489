package payment

import "time"

// EventKind says which of our things an event is about.
type EventKind string

// The kinds we act on; everything else a provider sends is Other.
const (
	SubscriptionChanged EventKind = "subscription" // a subscription or one of its invoices
	CustomerChanged     EventKind = "customer"     // the customer's data, default card or cards
	CustomerDeleted     EventKind = "customer_deleted"
	Other               EventKind = "other"
)

// Event is a hint that something changed at the provider, never the change itself: deliveries
// come late, twice and out of order, so the receiver fetches the truth.
type Event struct {
	ID             string // the provider's id; the same for every delivery of the same event
	Kind           EventKind
	Type           string // the provider's own name, for logs
	CustomerID     string
	SubscriptionID string // "" when the event is not about one
	CreatedAt      time.Time
}
