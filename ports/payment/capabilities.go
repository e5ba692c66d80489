package payment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// Entry is how a customer enters a payment method.
type Entry string

// The ways to enter a payment method.
const (
	EntryCardField Entry = "card_field" // in a field that the provider renders in the page
	EntryRedirect  Entry = "redirect"   // on the provider's page, from which the customer returns
	EntryInvoice   Entry = "invoice"    // not at all: the customer pays an invoice
)

// Capability is a group of operations that some providers do not have.
type Capability string

// The capabilities, and what needs them.
const (
	SavedMethods   Capability = "saved_methods"  // Cards, and NewSubscription.CardID
	Trials         Capability = "trials"         // NewSubscription.TrialDays
	ChangeNow      Capability = "change_now"     // ChangePlan
	PendingChanges Capability = "pending_change" // CancelPendingChange, and a change that waits for its payment
	PayInvoice     Capability = "pay_invoice"    // PayInvoice
	PushEvents     Capability = "push_events"    // Events
	PriceSync      Capability = "price_sync"     // plugin.PriceSync
	Fencing        Capability = "fencing"        // Fence
)

// names contains the names of the capabilities in messages to the customer.
var names = map[Capability]string{
	SavedMethods:   "saved payment methods",
	Trials:         "trials",
	ChangeNow:      "changing the plan at once",
	PendingChanges: "plan changes that wait for their payment",
	PayInvoice:     "paying an invoice here",
	PushEvents:     "webhook events",
	PriceSync:      "a price list",
	Fencing:        "stopping a request",
}

// Capabilities declares what a provider can do. A request that needs a missing capability is
// Unsupported; everything else of the port works.
type Capabilities struct {
	Entry   Entry
	Missing map[Capability]string // the reason for each missing capability
	// LongestRequest is how long the provider may work on a request after it has arrived. Without
	// Fencing, an operation is taken over only after that.
	LongestRequest time.Duration
}

// Has reports whether the provider has the capability.
func (c Capabilities) Has(capability Capability) bool {
	_, missing := c.Missing[capability]
	return !missing
}

// CheckSteps returns Unsupported when a step needs a missing capability, otherwise nil.
func (c Capabilities) CheckSteps(steps []billing.Step) error {
	for _, s := range steps {
		for _, needed := range neededBy(s) {
			if !c.Has(needed) {
				return Unsupported(needed)
			}
		}
	}
	return nil
}

func neededBy(s billing.Step) []Capability {
	switch s.Kind {
	case billing.SaveCardStep, billing.SetDefaultCardStep, billing.DeleteCardStep:
		return []Capability{SavedMethods}
	case billing.PayInvoiceStep:
		return []Capability{PayInvoice}
	case billing.ChangePlanStep:
		return []Capability{ChangeNow}
	case billing.DropChangeStep:
		return []Capability{PendingChanges}
	case billing.StartSubscriptionStep:
		var needed []Capability
		if s.CardID != "" {
			needed = append(needed, SavedMethods)
		}
		if s.TrialDays > 0 {
			needed = append(needed, Trials)
		}
		return needed
	case billing.CreateCustomerStep, billing.EndUnpaidStep:
	}
	return nil
}

// Unsupported returns the error for a request that needs a missing capability.
func Unsupported(missing Capability) error {
	return fault.Newf(fault.Unsupported, "The payment provider does not support %s.", names[missing])
}

// Unimplemented returns Unsupported for every request that needs a capability. The adapter of a provider
// that lacks some capabilities embeds it and implements the other methods of Provider.
type Unimplemented struct{}

// Cards needs SavedMethods.
func (Unimplemented) Cards(context.Context, string) ([]billing.PaymentMethod, error) {
	return nil, Unsupported(SavedMethods)
}

// AddCard needs SavedMethods.
func (Unimplemented) AddCard(context.Context, NewCard) (billing.PaymentMethod, error) {
	return billing.PaymentMethod{}, Unsupported(SavedMethods)
}

// SetDefaultCard needs SavedMethods.
func (Unimplemented) SetDefaultCard(context.Context, SavedCard) (billing.Customer, error) {
	return billing.Customer{}, Unsupported(SavedMethods)
}

// DeleteCard needs SavedMethods.
func (Unimplemented) DeleteCard(context.Context, SavedCard) error { return Unsupported(SavedMethods) }

// PayInvoice needs the capability PayInvoice.
func (Unimplemented) PayInvoice(context.Context, InvoicePayment) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(PayInvoice)
}

// ChangePlan needs ChangeNow.
func (Unimplemented) ChangePlan(context.Context, PlanChange) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(ChangeNow)
}

// CancelPendingChange needs PendingChanges.
func (Unimplemented) CancelPendingChange(context.Context, PendingCancellation) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(PendingChanges)
}

// Retire needs Fencing.
func (Unimplemented) Retire(context.Context, Retirement) error { return Unsupported(Fencing) }

// ParseEvent needs PushEvents.
func (Unimplemented) ParseEvent([]byte, string) (Event, error) {
	return Event{}, Unsupported(PushEvents)
}
