package fakepayment

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// ParseEvent checks the signature of a delivery and reads it.
func (p *Provider) ParseEvent(payload []byte, signature string) (payment.Event, error) {
	if err := verify(payload, signature, p.Secrets, p.Clock.Now()); err != nil {
		return payment.Event{}, err
	}
	var e envelope
	if err := json.Unmarshal(payload, &e); err != nil || e.Object != "event" || e.ID == "" || e.Type == "" {
		return payment.Event{}, fault.Wrap(err, fault.Invalid, "This is not an event.")
	}
	return e.read(), nil
}

// read is the event in our terms.
func (e envelope) read() payment.Event {
	about := e.Data.Object
	out := payment.Event{
		ID: e.ID, Kind: kindOf(e.Type), Type: e.Type, CustomerID: about.Customer,
		CreatedAt: time.Unix(e.Created, 0).UTC(),
	}
	if was := e.Data.Previous; was != nil && out.CustomerID == "" {
		out.CustomerID = was.Customer
	}
	switch about.Object {
	case "customer":
		out.CustomerID = about.ID
	case "subscription":
		out.SubscriptionID = about.ID
	case "invoice":
		if about.Parent != nil {
			out.SubscriptionID = about.Parent.Details.Subscription
		}
	}
	return out
}

// kindOf sorts Stripe's names of events.
func kindOf(name string) payment.EventKind {
	switch {
	case strings.HasPrefix(name, "customer.subscription."), strings.HasPrefix(name, "invoice."):
		return payment.SubscriptionChanged
	case name == "customer.deleted":
		return payment.CustomerDeleted
	case name == "customer.created", name == "customer.updated", strings.HasPrefix(name, "payment_method."):
		return payment.CustomerChanged
	}
	return payment.Other
}
