package stripepayment

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/webhook"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// signatureHeader is the header with the signature of a delivery.
const signatureHeader = "Stripe-Signature"

// ParseEvents verifies the signature of a delivery and decodes its only event. An event of another
// API version is Invalid: the webhook endpoint must be set to the version of the library.
func (p *Provider) ParseEvents(ctx context.Context, req payment.Delivery) ([]payment.Event, error) {
	if err := p.verify(req.Body, req.Header.Get(signatureHeader)); err != nil {
		return nil, err
	}
	var e stripe.Event
	if err := json.Unmarshal(req.Body, &e); err != nil || e.Object != "event" || e.ID == "" || e.Type == "" ||
		e.Data == nil {
		return nil, errInvalidEvent()
	}
	if _, train, _ := strings.Cut(e.APIVersion, "."); train != stripe.APIMajorVersion {
		p.Log.ErrorContext(ctx, "the webhook endpoint has another api version", "event", e.ID, "endpoint_version",
			e.APIVersion, "required_version", stripe.APIVersion)
		return nil, fault.New(fault.Invalid, "The API version of this event is not supported.")
	}
	event, err := p.eventOf(ctx, &e)
	if err != nil {
		return nil, err
	}
	return []payment.Event{event}, nil
}

// isChargeEvent reports whether the event is about a refunded or disputed charge.
func isChargeEvent(name string) bool {
	return name == "charge.refunded" || strings.HasPrefix(name, "charge.dispute.")
}

// chargeEvent settles what was returned of the charge. The event names neither the subscription nor, for a dispute,
// the customer, so they are looked up. A charge that was not for a subscription's invoice is Other.
func (p *Provider) chargeEvent(ctx context.Context, e *stripe.Event, out payment.Event) (payment.Event, error) {
	var o struct {
		PaymentIntent *stripe.PaymentIntent `json:"payment_intent"`
	}
	if err := json.Unmarshal(e.Data.Raw, &o); err != nil {
		return payment.Event{}, errInvalidEvent()
	}
	if o.PaymentIntent == nil || !idPattern.MatchString(o.PaymentIntent.ID) {
		return out, nil
	}
	inv, err := p.settlePayment(ctx, o.PaymentIntent.ID)
	if err != nil || inv == nil {
		return out, err
	}
	out.Kind, out.CustomerID, out.InvoiceIDs = payment.CustomerChanged, inv.Customer.ID, []string{inv.ID}
	if s := subscriptionOfInvoice(inv); s != nil {
		out.Kind, out.SubscriptionID = payment.SubscriptionChanged, s.ID
	}
	return out, nil
}

// creditEvent withdraws what is owed from the credit that an invoice has given its customer. Stripe voids invoices by
// itself, too.
func (p *Provider) creditEvent(ctx context.Context, e *stripe.Event) error {
	var o stripe.Invoice
	if err := json.Unmarshal(e.Data.Raw, &o); err != nil {
		return errInvalidEvent()
	}
	if creditFrom(&o) == 0 {
		return nil
	}
	inv, err := p.invoice(ctx, o.ID)
	if err != nil {
		return err
	}
	return p.reclaim(ctx, inv)
}

func errInvalidEvent() error { return fault.New(fault.Invalid, "This is not an event.") }

// eventObject is the part of an event's object that is read. References may be ids or whole
// objects.
type eventObject struct {
	ID       string                `json:"id"`
	Object   string                `json:"object"`
	Customer *stripe.Customer      `json:"customer"`
	Parent   *stripe.InvoiceParent `json:"parent"`
	Owned    *stripe.Subscription  `json:"subscription"` // by a schedule
	Invoice  *stripe.Invoice       `json:"invoice"`      // of a credit note
}

// eventOf converts an event.
func (p *Provider) eventOf(ctx context.Context, e *stripe.Event) (payment.Event, error) {
	var o eventObject
	if err := json.Unmarshal(e.Data.Raw, &o); err != nil {
		return payment.Event{}, errInvalidEvent()
	}
	out := payment.Event{
		ID: e.ID, Type: string(e.Type), CustomerID: o.customer(e), SubscriptionID: o.subscription(),
		CreatedAt: timeOf(e.Created),
	}
	out.Kind = eventKind(out.Type, out.SubscriptionID)
	if id := o.invoice(); id != "" {
		out.InvoiceIDs = []string{id}
	}
	switch {
	case isChargeEvent(out.Type):
		return p.chargeEvent(ctx, e, out)
	case out.Type == "invoice.voided", out.Type == "invoice.paid":
		if out.SubscriptionID != "" {
			return out, p.creditEvent(ctx, e)
		}
	}
	return out, nil
}

// customer returns the id of the customer that the object belongs to, or of the object itself. A
// detached card belongs to no customer; the event's previous attributes name it.
func (o eventObject) customer(e *stripe.Event) string {
	switch {
	case o.Object == "customer":
		return o.ID
	case o.Customer != nil:
		return o.Customer.ID
	}
	former, _ := e.Data.PreviousAttributes["customer"].(string)
	return former
}

// subscription returns the id of the subscription that the object is, that an invoice bills or that a
// schedule owns.
func (o eventObject) subscription() string {
	switch {
	case o.Object == "subscription":
		return o.ID
	case o.Object == "subscription_schedule" && o.Owned != nil:
		return o.Owned.ID
	case o.Object == "invoice" && o.Parent != nil && o.Parent.SubscriptionDetails != nil &&
		o.Parent.SubscriptionDetails.Subscription != nil:
		return o.Parent.SubscriptionDetails.Subscription.ID
	}
	return ""
}

// invoice returns the id of the invoice that the object is or credits, "" for none.
func (o eventObject) invoice() string {
	switch {
	case o.Object == "invoice":
		return o.ID
	case o.Object == "credit_note" && o.Invoice != nil:
		return o.Invoice.ID
	}
	return ""
}

// eventKind classifies an event by its name. Invoices without a subscription are not ours. A setup intent counts as a
// change of the customer's cards, because a trial may wait for its authentication, and a credit note as a change of the
// customer's credit, because it does not name the subscription.
func eventKind(name, subscriptionID string) payment.EventKind {
	switch {
	case name == "customer.deleted":
		return payment.CustomerDeleted
	case name == "customer.created", name == "customer.updated", strings.HasPrefix(name, "customer.discount."),
		strings.HasPrefix(name, "payment_method."), strings.HasPrefix(name, "setup_intent."), strings.HasPrefix(name,
			"credit_note."):
		return payment.CustomerChanged
	case subscriptionID == "":
		return payment.Other
	case strings.HasPrefix(name, "customer.subscription."), strings.HasPrefix(name, "invoice."), strings.HasPrefix(name,
		"subscription_schedule."):
		return payment.SubscriptionChanged
	}
	return payment.Other
}

// verify returns Forbidden if no secret matches the signature or if it is too old. The age is
// measured by the configured clock, which development and tests can move; the library uses the
// system clock.
func (p *Provider) verify(payload []byte, signature string) error {
	if !p.hasValidSignature(payload, signature) {
		return fault.New(fault.Forbidden, "The signature is missing or wrong.")
	}
	if p.Clock.Now().Sub(signatureTime(signature)) > webhook.DefaultTolerance {
		return fault.New(fault.Forbidden, "The signature is too old.")
	}
	return nil
}

func (p *Provider) hasValidSignature(payload []byte, signature string) bool {
	for _, secret := range p.WebhookSecrets {
		if webhook.ValidatePayloadIgnoringTolerance(payload, signature, secret) == nil {
			return true
		}
	}
	return false
}

// signatureTime returns the time of a valid signature. If there are several, the last one counts,
// as in the library: it is the one that was signed.
func signatureTime(signature string) time.Time {
	var at int64
	for part := range strings.SplitSeq(signature, ",") {
		if text, ok := strings.CutPrefix(part, "t="); ok {
			at, _ = strconv.ParseInt(text, 10, 64) // a malformed number was never signed
		}
	}
	return time.Unix(at, 0)
}
