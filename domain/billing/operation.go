package billing

import "time"

// Lane groups the operations of an organisation that must not overlap: while one of a lane is
// pending, no other may begin.
type Lane string

// The lanes.
const (
	CustomerLane     Lane = "customer"     // making the organisation's customer
	SubscriptionLane Lane = "subscription" // its subscription, and the cards that it is charged on
)

// Operation is something we ask of the payment provider that must happen once. It is stored
// before the first call, so that whatever happens afterwards the same Key can be sent again, and
// it stays pending until we know what became of it: a time-out is unknown, not failure.
type Operation struct {
	Key            string // the idempotency key; random, names nobody
	OrganisationID string
	Lane           Lane
	Fingerprint    string // of the parameters: equal for a repeat of the same request only
	CreatedAt      time.Time
	SettledAt      time.Time // zero while pending
	Result         string    // the id of what it made; "" when it made nothing
}

// Pending reports whether the operation's outcome is still unknown.
func (o Operation) Pending() bool { return o.SettledAt.IsZero() }
