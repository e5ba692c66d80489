package billing

import (
	"slices"
	"time"
)

// OperationKind groups the operations of an organisation that must not overlap: while one of a kind is
// pending, no other of that kind may begin.
type OperationKind string

// The kinds of operations.
const (
	CustomerOperation     OperationKind = "customer"     // making the organisation's customer
	SubscriptionOperation OperationKind = "subscription" // its subscription, and the cards that it is charged on
)

// Operation is something we ask of the payment provider that must happen once. It is stored
// before the first call, with everything that will be sent, so that whatever happens afterwards
// the same requests can be sent again or stopped. It stays pending until its outcome is known: a
// time-out is unknown, not failure.
type Operation struct {
	Key            string // random, contains no name; the keys of the steps begin with it
	OrganisationID string
	Kind           OperationKind
	Fingerprint    string // of the parameters: equal for a repeat of the same request only
	Steps          []Step // all requests to the provider, in their order; none are kept once it is settled
	CreatedAt      time.Time
	SettledAt      time.Time // zero while pending
	Result         string    // the id of what it made; "" when it made nothing

	// Revision is the account's revision that Steps were planned for; nil when they don't depend on
	// the account. It is not stored.
	Revision *int64
	// Age is how long ago the operation began, by the clock of the database alone. It says when to
	// try to take the operation over, never who may act, because that clock may be moved as well:
	// the age of an operation can be negative. It is reported by the store and not stored.
	Age time.Duration
}

// Pending reports whether the operation's outcome is still unknown.
func (o Operation) Pending() bool { return o.SettledAt.IsZero() }

// Charges reports whether the operation can charge a card. One without steps was begun by an
// earlier version, which did not store them.
func (o Operation) Charges() bool {
	for _, s := range o.Steps {
		if s.Kind.Charges() {
			return true
		}
	}
	return len(o.Steps) == 0 && o.Kind != CustomerOperation
}

// Outcome is the id of the subscription that the operation has made, paid or changed: a live one
// that carries the key of one of its steps, or that one of its steps names. It is "" when there is
// none.
func (o Operation) Outcome(a *Account) string {
	live := a.Live()
	if live == nil {
		return ""
	}
	for _, s := range o.Steps {
		if s.Key == live.MadeBy || s.Kind.Charges() && s.SubscriptionID == live.ID {
			return live.ID
		}
	}
	return ""
}

// Done reports whether the account shows that the step has acted and ended: a subscription that it
// started, an invoice that is paid, or a change of plan that was made or is pending. false means that
// it doesn't show.
func (s Step) Done(a *Account) bool {
	return slices.ContainsFunc(a.Subscriptions, s.shows)
}

// shows reports whether the subscription is what the step leads to.
func (s Step) shows(sub Subscription) bool {
	switch s.Kind {
	case StartSubscriptionStep:
		return sub.MadeBy == s.Key
	case ChangePlanStep:
		isThere := sub.Price == s.Price || sub.Pending != nil && sub.Pending.To == s.Price
		return sub.ChangedBy == s.Key && isThere
	case PayInvoiceStep:
		inv := sub.LatestInvoice
		return inv != nil && inv.ID == s.InvoiceID && inv.Status == InvoicePaid
	case CreateCustomerStep, SaveCardStep, SetDefaultCardStep, DeleteCardStep, EndUnpaidStep, DropChangeStep:
	}
	return false
}
