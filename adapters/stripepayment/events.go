package stripepayment

import (
	"encoding/json"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// ParseEvent checks the signature of a delivery and reads it. An event in the shape of another API
// version is Invalid: the endpoint at Stripe has to be set to the version of this library.
func (p *Provider) ParseEvent(payload []byte, signature string) (payment.Event, error) {
	if err := p.verify(payload, signature); err != nil {
		return payment.Event{}, err
	}
	var e stripe.Event
	if err := json.Unmarshal(payload, &e); err != nil || e.Object != "event" || e.ID == "" || e.Type == "" || e.Data == nil {
		return payment.Event{}, errNoEvent()
	}
	if _, train, _ := strings.Cut(e.APIVersion, "."); train != stripe.APIMajorVersion {
		p.Log.Error("the webhook endpoint has another api version", "event", e.ID, "theirs", e.APIVersion, "ours", stripe.APIVersion)
		return payment.Event{}, fault.New(fault.Invalid, "This event is in the shape of another API version.")
	}
	return eventOf(&e)
}

func errNoEvent() error { return fault.New(fault.Invalid, "This is not an event.") }

// about is what we read of the object an event is about. Ids may come as the whole object.
type about struct {
	ID       string                `json:"id"`
	Object   string                `json:"object"`
	Customer *stripe.Customer      `json:"customer"`
	Parent   *stripe.InvoiceParent `json:"parent"`
}

// eventOf is the event in our terms.
func eventOf(e *stripe.Event) (payment.Event, error) {
	var o about
	if err := json.Unmarshal(e.Data.Raw, &o); err != nil {
		return payment.Event{}, errNoEvent()
	}
	out := payment.Event{
		ID: e.ID, Type: string(e.Type), CustomerID: o.customer(e), SubscriptionID: o.subscription(), CreatedAt: instant(e.Created),
	}
	out.Kind = kindOf(out.Type, out.SubscriptionID)
	return out, nil
}

// customer is the id of the customer the object belongs to, or that it is itself. A card that was
// detached belongs to nobody any more; the event tells whose it was.
func (o about) customer(e *stripe.Event) string {
	switch {
	case o.Object == "customer":
		return o.ID
	case o.Customer != nil:
		return o.Customer.ID
	}
	was, _ := e.Data.PreviousAttributes["customer"].(string)
	return was
}

// subscription is the id of the subscription that the object is, or that an invoice is of.
func (o about) subscription() string {
	switch {
	case o.Object == "subscription":
		return o.ID
	case o.Object == "invoice" && o.Parent != nil && o.Parent.SubscriptionDetails != nil && o.Parent.SubscriptionDetails.Subscription != nil:
		return o.Parent.SubscriptionDetails.Subscription.ID
	}
	return ""
}
