package fakepayment

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// apiVersion is the version of Stripe's API whose event format is used.
const apiVersion = "2026-03-25.dahlia"

// eventBody is an event in Stripe's format.
type eventBody struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Type    string `json:"type"`
	Version string `json:"api_version"`
	Created int64  `json:"created"`
	Live    bool   `json:"livemode"`
	Pending int    `json:"pending_webhooks"` // the number of endpoints that have not accepted the event
	Data    struct {
		Object   eventObject         `json:"object"`
		Previous *previousAttributes `json:"previous_attributes,omitempty"`
	} `json:"data"`
}

// eventObject is the subject of an event. It contains ids, statuses and amounts, but no secrets or personal data.
type eventObject struct {
	ID         string  `json:"id"`
	Object     string  `json:"object"`
	Created    int64   `json:"created"`
	CustomerID string  `json:"customer,omitempty"`
	Status     string  `json:"status,omitempty"`
	ChargeID   string  `json:"charge,omitempty"`         // of a refund or dispute
	PaymentID  string  `json:"payment_intent,omitempty"` // of a charge, refund or dispute
	Parent     *parent `json:"parent,omitempty"`
	InvoiceID  string  `json:"invoice,omitempty"`    // of a payment, charge, refund or dispute
	Total      int64   `json:"total,omitempty"`      // of an invoice
	AmountDue  int64   `json:"amount_due,omitempty"` // of an invoice
}

// parent links an invoice to its subscription.
type parent struct {
	Type    string `json:"type"`
	Details struct {
		Subscription string `json:"subscription"`
	} `json:"subscription_details"`
}

func newParent(subscriptionID string) *parent {
	p := &parent{Type: "subscription_details"}
	p.Details.Subscription = subscriptionID
	return p
}

// previousAttributes contains the earlier values of changed fields.
type previousAttributes struct {
	Customer string `json:"customer"`
}

func customerObject(c customer) eventObject {
	return eventObject{ID: c.ID, Object: "customer", Created: unixTime(c.Created)}
}

func cardObject(c card) eventObject {
	return eventObject{ID: c.ID, Object: "payment_method", Created: unixTime(c.Created), CustomerID: c.CustomerID}
}

func subscriptionObject(s subscription) eventObject {
	return eventObject{
		ID: s.ID, Object: "subscription", Created: unixTime(s.Created), CustomerID: s.CustomerID, Status: string(s.Status),
	}
}

func invoiceObject(i invoice) eventObject {
	return eventObject{
		ID: i.ID, Object: "invoice", CustomerID: i.CustomerID, Status: string(i.Status), Parent: newParent(i.SubscriptionID),
		Total: i.total(), AmountDue: i.AmountDue, Created: unixTime(i.Created),
	}
}

// chargeObject describes the charge of a paid invoice. Unlike Stripe's, it names the invoice and the subscription.
func chargeObject(i invoice) eventObject {
	charge := invoiceObject(i)
	charge.Total, charge.AmountDue, charge.InvoiceID, charge.Created = 0, 0, i.ID, unixTime(i.PaidAt)
	charge.ID, charge.PaymentID = "ch_"+strings.TrimPrefix(i.PaymentID, paymentPrefix), i.PaymentID
	charge.Object, charge.Status = "charge", "succeeded"
	return charge
}

// refundObject describes a refund of an invoice's charge that failed.
func refundObject(i invoice, r FailedRefund) eventObject {
	refund := chargeObject(i)
	refund.ChargeID, refund.Object, refund.ID, refund.Status = refund.ID, "refund", r.ID, "failed"
	refund.Created = unixTime(r.Created)
	return refund
}

// disputeObject describes the dispute of an invoice's charge.
func disputeObject(i invoice) eventObject {
	dispute := chargeObject(i)
	dispute.ChargeID, dispute.Object, dispute.ID = dispute.ID, "dispute", i.DisputeIDs()[0]
	dispute.Created = unixTime(i.DisputedAt[0])
	dispute.Status = map[billing.DisputeStatus]string{
		billing.DisputeOpen: "needs_response", billing.DisputeWon: "won", billing.DisputeLost: "lost",
	}[i.disputeStatus()]
	return dispute
}

func setupObject(i intent) eventObject {
	return eventObject{
		ID: i.ID, Object: "setup_intent", Created: unixTime(i.Created), CustomerID: i.CustomerID, Status: string(i.Status),
	}
}

// paymentObject describes a payment. Unlike Stripe's, it names the invoice and the subscription.
func paymentObject(i intent) eventObject {
	return eventObject{
		ID: i.ID, Object: "payment_intent", CustomerID: i.CustomerID, Status: string(i.Status),
		Parent: newParent(i.SubscriptionID), InvoiceID: i.InvoiceID, Created: unixTime(i.Created),
	}
}

// unixTime returns the time in seconds, or 0 for the zero time.
func unixTime(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// emit adds an event to the outbox, in the transaction of the change that it reports.
func (t *tx) emit(eventType string, subject eventObject) {
	t.emitWithPreviousAttributes(eventType, subject, nil)
}

func (t *tx) emitWithPreviousAttributes(eventType string, subject eventObject, previous *previousAttributes) {
	t.lastEventNumber++
	e := eventBody{ID: newID(eventPrefix), Object: "event", Type: eventType, Version: apiVersion, Created: t.now.Unix(),
		Pending: 1}
	e.Data.Object, e.Data.Previous = subject, previous
	payload, err := json.Marshal(e)
	if err != nil {
		panic(err) // strings and numbers can always be marshalled
	}
	t.events.put(event{ID: e.ID, Number: t.lastEventNumber, Payload: payload})
	t.outbox = append(t.outbox, e.ID)
}

// SignatureHeader is the header with the signature of a delivery.
const SignatureHeader = "Stripe-Signature"

// NewDelivery returns the webhook request with a payload and its signature, see Sign.
func NewDelivery(payload []byte, signature string) payment.Delivery {
	return payment.Delivery{Header: http.Header{SignatureHeader: {signature}}, Body: payload}
}

// ParseEvents verifies the signature of a delivery and decodes its only event. It returns Forbidden
// for a bad signature and Invalid for a payload that is not an event.
func (p *Provider) ParseEvents(_ context.Context, req payment.Delivery) ([]payment.Event, error) {
	if err := verify(req.Body, req.Header.Get(SignatureHeader), p.config.Secrets, p.Now()); err != nil {
		return nil, err
	}
	var e eventBody
	if err := json.Unmarshal(req.Body, &e); err != nil || e.Object != "event" || e.ID == "" || e.Type == "" {
		return nil, fault.Wrap(err, fault.Invalid, "This is not an event.")
	}
	return []payment.Event{e.paymentEvent()}, nil
}

func (e eventBody) paymentEvent() payment.Event {
	subject := e.Data.Object
	out := payment.Event{
		ID: e.ID, Kind: eventKind(e.Type), Type: e.Type, CustomerID: subject.CustomerID,
		CreatedAt: time.Unix(e.Created, 0).UTC(),
	}
	if previous := e.Data.Previous; previous != nil && out.CustomerID == "" {
		out.CustomerID = previous.Customer
	}
	switch subject.Object {
	case "customer":
		out.CustomerID = subject.ID
	case "subscription":
		out.SubscriptionID = subject.ID
	case "invoice", "charge", "refund", "dispute", "payment_intent":
		if subject.Parent != nil {
			out.SubscriptionID = subject.Parent.Details.Subscription
		}
		if id := subject.invoiceID(); id != "" {
			out.InvoiceIDs = []string{id}
		}
	}
	return out
}

// invoiceID returns the id of the invoice that the object is or belongs to, or "".
func (o eventObject) invoiceID() string {
	if o.Object == "invoice" {
		return o.ID
	}
	return o.InvoiceID
}

// eventKind converts the type of a Stripe event to the kind of the payment port.
func eventKind(eventType string) payment.EventKind {
	switch {
	case strings.HasPrefix(eventType, "customer.subscription."), strings.HasPrefix(eventType, "invoice."),
		strings.HasPrefix(eventType, "charge.dispute."), eventType == "charge.refunded", eventType == "refund.failed",
		eventType == "payment_intent.processing":
		return payment.SubscriptionChanged
	case eventType == "customer.deleted":
		return payment.CustomerDeleted
	case eventType == "customer.created", eventType == "customer.updated", strings.HasPrefix(eventType, "payment_method."):
		return payment.CustomerChanged
	}
	return payment.OtherEvent
}
