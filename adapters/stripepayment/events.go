package stripepayment

import (
	"context"
	"encoding/json"
	"slices"
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

// ParseEvents verifies the signature of a delivery and converts its only event, see convertEvent. It returns Invalid
// for an event of another API release, and for a thin event, which contains no object. The webhook endpoint must be set to
// a version of the library's release and to snapshot payloads. ParseEvents returns no events for an event of a connected
// account, whose objects are not in the account of the API key.
func (p *Provider) ParseEvents(ctx context.Context, req payment.Delivery) ([]payment.Event, error) {
	if err := p.verifySignature(req.Body, req.Header.Get(signatureHeader)); err != nil {
		return nil, err
	}
	switch source := parseEventSource(req.Body); {
	case source.isThin():
		if p.hasWarnedOfThinEvents.CompareAndSwap(false, true) {
			p.Log.WarnContext(ctx, "a webhook endpoint sends thin events, which are refused; create it with the "+
				"payload style snapshot", source.attributes()...)
		}
		return nil, fault.New(fault.Invalid, "Thin events are not supported.")
	case source.Account != "":
		if p.hasWarnedOfConnect.CompareAndSwap(false, true) {
			p.Log.WarnContext(ctx, "a webhook endpoint sends events of connected accounts, which are ignored; let it "+
				"listen to events of the own account", source.attributes()...)
		}
		return nil, nil
	}
	var stripeEvent stripe.Event
	if err := json.Unmarshal(req.Body, &stripeEvent); err != nil || !isComplete(stripeEvent) {
		return nil, errInvalidEvent()
	}
	if _, release, _ := strings.Cut(stripeEvent.APIVersion, "."); release != stripe.APIMajorVersion {
		p.Log.ErrorContext(ctx, "the webhook endpoint has another api version", "event", stripeEvent.ID, "endpoint_version",
			stripeEvent.APIVersion, "required_version", stripe.APIVersion)
		return nil, fault.New(fault.Invalid, "The API version of this event is not supported.")
	}
	event, err := p.convertEvent(ctx, &stripeEvent)
	if err != nil {
		return nil, err
	}
	return []payment.Event{event}, nil
}

// eventSource contains the fields of an event that show how the webhook endpoint is configured.
type eventSource struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Type    string `json:"type"`
	Account string `json:"account"` // the connected account; "" for an event of the own account
}

// parseEventSource returns the source of the event. Missing fields are empty, also if the body is not an event.
func parseEventSource(body []byte) (source eventSource) {
	_ = json.Unmarshal(body, &source) // the caller refuses a malformed body
	return source
}

// isThin reports whether the event is a thin event, which names its object but does not contain it.
func (s eventSource) isThin() bool { return strings.HasPrefix(s.Object, "v2.") }

// attributes returns the attributes of a warning about the event.
func (s eventSource) attributes() []any {
	return []any{"event", s.ID, "type", s.Type, "docs", "docs/stripe.md#set-up"}
}

// isComplete reports whether the event has the fields that every event has.
func isComplete(e stripe.Event) bool {
	return e.Object == "event" && e.ID != "" && e.Type != "" && e.Data != nil
}

func errInvalidEvent() error { return fault.New(fault.Invalid, "This is not an event.") }

// eventObject contains the fields of an event's object that the adapter uses. The object can be of any type, and each of
// its references is an id or a whole object.
type eventObject struct {
	ID           string                `json:"id"`
	Object       string                `json:"object"` // its type
	Customer     *stripe.Customer      `json:"customer"`
	Parent       *stripe.InvoiceParent `json:"parent"`       // of an invoice
	Subscription *stripe.Subscription  `json:"subscription"` // of a schedule
	Invoice      *stripe.Invoice       `json:"invoice"`      // of a credit note
}

// convertEvent converts an event. For an event about a returned payment or about new credit, it first updates the records
// at Stripe, see recordReturnsOfEvent and withdrawOwedAmountsOfEvent.
func (p *Provider) convertEvent(ctx context.Context, stripeEvent *stripe.Event) (payment.Event, error) {
	var o eventObject
	if err := json.Unmarshal(stripeEvent.Data.Raw, &o); err != nil {
		return payment.Event{}, errInvalidEvent()
	}
	event := payment.Event{
		ID: stripeEvent.ID, Type: string(stripeEvent.Type), CreatedAt: timeOf(stripeEvent.Created),
		CustomerID: o.customerID(stripeEvent), SubscriptionID: o.subscriptionID(),
	}
	event.Kind = eventKind(event.Type, event.SubscriptionID)
	if id := o.invoiceID(); id != "" {
		event.InvoiceIDs = []string{id}
	}
	switch {
	case isChargeEvent(event.Type):
		return p.recordReturnsOfEvent(ctx, stripeEvent, event)
	case event.Type == "invoice.voided", event.Type == "invoice.paid":
		if event.SubscriptionID != "" {
			return event, p.withdrawOwedAmountsOfEvent(ctx, stripeEvent)
		}
	}
	return event, nil
}

// customerID returns the object's id if the object is a customer, and otherwise the id of the object's customer. A
// detached card has no customer; the event's previous attributes contain its former customer.
func (o eventObject) customerID(stripeEvent *stripe.Event) string {
	switch {
	case o.Object == "customer":
		return o.ID
	case o.Customer != nil:
		return o.Customer.ID
	}
	formerCustomerID, _ := stripeEvent.Data.PreviousAttributes["customer"].(string)
	return formerCustomerID
}

// subscriptionID returns the id of the subscription, if the object is a subscription, its schedule or its invoice.
// Otherwise it returns "".
func (o eventObject) subscriptionID() string {
	switch {
	case o.Object == "subscription":
		return o.ID
	case o.Object == "subscription_schedule" && o.Subscription != nil:
		return o.Subscription.ID
	case o.Object == "invoice" && o.Parent != nil && o.Parent.SubscriptionDetails != nil &&
		o.Parent.SubscriptionDetails.Subscription != nil:
		return o.Parent.SubscriptionDetails.Subscription.ID
	}
	return ""
}

// invoiceID returns the id of the invoice, if the object is an invoice or its credit note. Otherwise it returns "".
func (o eventObject) invoiceID() string {
	switch {
	case o.Object == "invoice":
		return o.ID
	case o.Object == "credit_note" && o.Invoice != nil:
		return o.Invoice.ID
	}
	return ""
}

// eventKind classifies an event by its type. An event about an invoice without a subscription is Other. An event about
// a setup intent is CustomerChanged, because a trial may wait for the authentication. An event about a credit note is
// CustomerChanged too, because the note does not name the subscription.
func eventKind(eventType, subscriptionID string) payment.EventKind {
	hasPrefix := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(eventType, prefix) })
	}
	switch {
	case eventType == "customer.deleted":
		return payment.CustomerDeleted
	case eventType == "customer.created", eventType == "customer.updated",
		hasPrefix("customer.discount.", "payment_method.", "setup_intent.", "credit_note."):
		return payment.CustomerChanged
	case subscriptionID != "" && hasPrefix("customer.subscription.", "invoice.", "subscription_schedule."):
		return payment.SubscriptionChanged
	}
	return payment.OtherEvent
}

// isChargeEvent reports whether events of the type are about a refunded or disputed charge, or about the refund itself,
// which may fail later.
func isChargeEvent(eventType string) bool {
	return eventType == "charge.refunded" || eventType == "charge.refund.updated" ||
		strings.HasPrefix(eventType, "refund.") || strings.HasPrefix(eventType, "charge.dispute.")
}

// recordReturnsOfEvent records the returned amount of the event's charge, see recordReturns. It looks up the customer,
// the subscription and the invoice, because the event does not name them all, and adds them to the event. An event
// about a charge that is not for an invoice stays Other.
func (p *Provider) recordReturnsOfEvent(
	ctx context.Context, stripeEvent *stripe.Event, event payment.Event,
) (payment.Event, error) {
	var subject struct {
		PaymentIntent *stripe.PaymentIntent `json:"payment_intent"`
	}
	if err := json.Unmarshal(stripeEvent.Data.Raw, &subject); err != nil {
		return payment.Event{}, errInvalidEvent()
	}
	pi := subject.PaymentIntent
	if pi == nil || !idPattern.MatchString(pi.ID) {
		return event, nil
	}
	inv, err := p.recordReturnsOfPayment(ctx, pi.ID)
	if err != nil || inv == nil {
		return event, err
	}
	event.Kind, event.CustomerID, event.InvoiceIDs = payment.CustomerChanged, inv.Customer.ID, []string{inv.ID}
	if s := subscriptionOfInvoice(inv); s != nil {
		event.Kind, event.SubscriptionID = payment.SubscriptionChanged, s.ID
	}
	return event, nil
}

// withdrawOwedAmountsOfEvent withdraws owed amounts from the credit that the event's invoice has given the customer, see
// withdrawOwedAmounts, and applies the invoice's deductions. It covers invoices that Stripe voids, or that are paid without
// a request of the adapter. If the event does not contain the lines, only the invoice itself shows whether it has deductions.
func (p *Provider) withdrawOwedAmountsOfEvent(ctx context.Context, stripeEvent *stripe.Event) error {
	var eventInvoice stripe.Invoice
	if err := json.Unmarshal(stripeEvent.Data.Raw, &eventInvoice); err != nil {
		return errInvalidEvent()
	}
	mayDeduct := eventInvoice.Status == stripe.InvoiceStatusPaid &&
		(eventInvoice.Lines == nil || len(parseDeductions(&eventInvoice)) > 0)
	if addedCreditOf(&eventInvoice) == 0 && !mayDeduct {
		return nil
	}
	inv, err := p.readInvoice(ctx, eventInvoice.ID)
	if err != nil {
		return err
	}
	return p.applyReturns(ctx, inv)
}

// verifySignature returns Forbidden if no secret matches the signature or if it is too old. It measures the age with the
// configured clock, which development and tests can move; the library would use the system clock.
func (p *Provider) verifySignature(payload []byte, signature string) error {
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

// signatureTime returns the time of a valid signature. If there are several times, it returns the last, which the library
// verifies.
func signatureTime(signature string) time.Time {
	var seconds int64
	for part := range strings.SplitSeq(signature, ",") {
		if text, ok := strings.CutPrefix(part, "t="); ok {
			seconds, _ = strconv.ParseInt(text, 10, 64) // a valid signature has no malformed number
		}
	}
	return time.Unix(seconds, 0)
}
