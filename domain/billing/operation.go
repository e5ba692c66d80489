package billing

import (
	"cmp"
	"slices"
	"time"
)

// OperationKind groups the operations of an organisation that exclude each other. While an operation of a kind is
// pending, no other operation of that kind may begin.
type OperationKind string

// The kinds of operations.
const (
	CustomerOperation     OperationKind = "customer"     // creates the organisation's customer
	SubscriptionOperation OperationKind = "subscription" // changes its subscription or saved cards
	DetailsOperation      OperationKind = "details"      // changes its billing details
)

// Operation is a request that must act once at the payment provider. It is stored with all its actions before the
// first action is sent, so that the same actions can be repeated or stopped after a crash. An operation stays pending
// until its outcome is known. A timeout leaves the outcome unknown.
type Operation struct {
	Key            string // random and without personal data; the keys of the actions begin with it
	OrganisationID string
	Kind           OperationKind
	Fingerprint    string   // a hash of the parameters, equal only for repeats of the same request
	Actions        []Action // sent in this order; empty once the operation is settled
	CreatedAt      time.Time
	SettledAt      time.Time // zero while pending
	Result         string    // the id of the subscription or customer that was created or changed, or ""
}

// CanCharge reports whether the operation can charge a card.
func (o Operation) CanCharge() bool {
	return slices.ContainsFunc(o.Actions, func(a Action) bool { return a.Kind.CanCharge() })
}

// FindResult returns the id of the subscription that the operation has created, paid or changed, if it is live or its
// first payment is processing. It also returns the id of a subscription that the operation has created and whose first
// payment is open, because a repeat of the request must find it. Otherwise it returns "". It compares the keys and ids of
// the actions with the subscription, never times.
func (o Operation) FindResult(a *Account) string {
	paidSub := cmp.Or(a.LiveSubscription(), a.StartingSubscription())
	sub := cmp.Or(paidSub, a.OpenSubscription())
	if sub == nil {
		return ""
	}
	for _, action := range o.Actions {
		isPaidOrChanged := paidSub != nil && action.Kind.CanCharge() && action.SubscriptionID == sub.ID
		if action.Key == sub.StartKey || isPaidOrChanged {
			return sub.ID
		}
	}
	return ""
}
