package fakepayment

import "encoding/json"

// object is what an event is about, in Stripe's shape as far as anybody reads it: ids and states.
// It holds no secret and nothing about a person.
type object struct {
	ID       string  `json:"id"`
	Object   string  `json:"object"`
	Customer string  `json:"customer,omitempty"`
	Status   string  `json:"status,omitempty"`
	Parent   *parent `json:"parent,omitempty"`
}

// parent leads from an invoice to its subscription.
type parent struct {
	Type    string `json:"type"`
	Details struct {
		Subscription string `json:"subscription"`
	} `json:"subscription_details"`
}

// apiVersion is the version of Stripe's API whose shapes the events have.
const apiVersion = "2026-03-25.dahlia"

// envelope is an event.
type envelope struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Type    string `json:"type"`
	Version string `json:"api_version"`
	Created int64  `json:"created"`
	Data    struct {
		Object   object    `json:"object"`
		Previous *previous `json:"previous_attributes,omitempty"`
	} `json:"data"`
}

// previous is what an object was before, as far as it tells something the object does not.
type previous struct {
	Customer string `json:"customer"`
}

func customerObject(c customer) object { return object{ID: c.ID, Object: "customer"} }

func cardObject(c card) object {
	return object{ID: c.ID, Object: "payment_method", Customer: c.Customer}
}

func subscriptionObject(s subscription) object {
	return object{ID: s.ID, Object: "subscription", Customer: s.Customer, Status: string(s.Status)}
}

func invoiceObject(i invoice) object {
	of := &parent{Type: "subscription_details"}
	of.Details.Subscription = i.Subscription
	return object{ID: i.ID, Object: "invoice", Customer: i.Customer, Status: string(i.Status), Parent: of}
}

func setupObject(i intent) object {
	return object{ID: i.ID, Object: "setup_intent", Customer: i.Customer, Status: string(i.Status)}
}

// emit puts an event into the outbox, together with the change it tells of.
func (t *tx) emit(name string, about object) { t.emitChange(name, about, nil) }

func (t *tx) emitChange(name string, about object, was *previous) {
	t.numbers++
	told := envelope{ID: newID(eventPrefix), Object: "event", Type: name, Version: apiVersion, Created: t.now.Unix()}
	told.Data.Object, told.Data.Previous = about, was
	payload, err := json.Marshal(told)
	if err != nil {
		panic(err) // strings and numbers always have a JSON form
	}
	t.events.put(event{ID: told.ID, Number: t.numbers, Payload: payload})
	t.outbox = append(t.outbox, told.ID)
}
