package payment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// Entry selects how a customer enters a payment method.
type Entry string

// The ways to enter a payment method.
const (
	EntryCardField Entry = "card_field" // in a field that the provider renders in the page
	EntryRedirect  Entry = "redirect"   // on the provider's page, from which the customer returns
	EntryInvoice   Entry = "invoice"    // no entry: the customer pays invoices by transfer
)

// Capability is a group of operations that some providers do not have.
type Capability string

// The capabilities, each with the requests that need it.
const (
	SavedMethods     Capability = "saved_methods"      // Cards, and NewSubscription.MethodID
	MethodPage       Capability = "method_page"        // SetUpMethod
	Trials           Capability = "trials"             // NewSubscription.TrialDays, ExtendTrial
	Quoting          Capability = "quotes"             // Quotes
	ChangeNow        Capability = "change_now"         // ChangePlan with ChangeNow
	CheaperChangeNow Capability = "change_now_cheaper" // ChangePlan with ChangeNow when credit remains
	PendingChanges   Capability = "pending_change"     // CancelPendingChange, and a change that waits for its payment
	ChangeAtRenewal  Capability = "change_at_renewal"  // ChangePlan with ChangeAtRenewal, CancelScheduledChange
	EndAtPeriodEnd   Capability = "end_at_period_end"  // SetEndAtPeriodEnd
	PayInvoice       Capability = "pay_invoice"        // PayInvoice
	InvoicePDF       Capability = "invoice_pdf"        // Invoices.InvoicePDF
	Refunds          Capability = "refunds"            // Refund
	Disputes         Capability = "disputes"           // LiftHold; customers can dispute payments, and win or lose the dispute
	CustomerCredit   Capability = "credit"             // AddCredit
	Webhooks         Capability = "webhooks"           // Events
	PushEvents       Capability = "push_events"        // every change causes an event, so no Worker reports changes
	PriceSync        Capability = "price_sync"         // plugin.PriceSync
	Fencing          Capability = "fencing"            // Fence
)

// capabilityNames contains the names that messages to the customer use.
var capabilityNames = map[Capability]string{
	SavedMethods:     "saved payment methods",
	MethodPage:       "saving a payment method without a payment",
	Trials:           "trials",
	Quoting:          "quotes",
	ChangeNow:        "changing the plan at once",
	CheaperChangeNow: "changing to a cheaper plan at once",
	ChangeAtRenewal:  "changing the plan at the renewal",
	EndAtPeriodEnd:   "ending at the end of the period",
	InvoicePDF:       "invoices as PDF",
	Refunds:          "refunds",
	Disputes:         "disputes",
	CustomerCredit:   "credit",
	PendingChanges:   "plan changes that wait for their payment",
	PayInvoice:       "paying an invoice here",
	Webhooks:         "webhooks",
	PushEvents:       "webhook events",
	PriceSync:        "a price list",
	Fencing:          "stopping a request",
}

// Capabilities declares what a provider can do. A request that needs a missing capability is
// Unsupported; all others work.
type Capabilities struct {
	Entry   Entry
	Missing map[Capability]string // the reason for each missing capability
	// LongestRequest is the longest time in which the provider completes a request that has arrived. Without
	// Fencing, another server waits for that time before it takes over an operation.
	LongestRequest time.Duration
}

// Has reports whether the provider has the capability.
func (c Capabilities) Has(capability Capability) bool {
	_, missing := c.Missing[capability]
	return !missing
}

// Redirects reports whether the customer pays on the provider's page, unless a saved method is charged.
func (c Capabilities) Redirects() bool { return c.Entry == EntryRedirect }

// CollectsByInvoice reports whether the customer pays invoices by transfer and the provider charges nothing.
func (c Capabilities) CollectsByInvoice() bool { return c.Entry == EntryInvoice }

// Offer returns the part of the catalogue that the provider can sell. A provider without Trials sells no trials.
func (c Capabilities) Offer(plans *catalogue.Catalogue) *catalogue.Catalogue {
	if c.Has(Trials) {
		return plans
	}
	return plans.WithoutTrials()
}

// CheckActions returns Unsupported if an action needs a missing capability.
func (c Capabilities) CheckActions(actions []billing.Action) error {
	for _, action := range actions {
		for _, capability := range requiredCapabilities(action) {
			if !c.Has(capability) {
				return Unsupported(capability)
			}
		}
	}
	return nil
}

// capabilityOfAction contains the capability that all actions of a kind need.
var capabilityOfAction = map[billing.ActionKind]Capability{
	billing.SaveCardAction:              SavedMethods,
	billing.SetUpMethodAction:           MethodPage,
	billing.SetDefaultCardAction:        SavedMethods,
	billing.DeleteCardAction:            SavedMethods,
	billing.PayInvoiceAction:            PayInvoice,
	billing.ChangePlanAction:            ChangeNow,
	billing.CancelPendingChangeAction:   PendingChanges,
	billing.ScheduleChangeAction:        ChangeAtRenewal,
	billing.CancelScheduledChangeAction: ChangeAtRenewal,
	billing.EndAtPeriodEndAction:        EndAtPeriodEnd,
	billing.ResumeAction:                EndAtPeriodEnd,
}

// requiredCapabilities returns the capabilities that the action needs.
func requiredCapabilities(action billing.Action) []Capability {
	if capability, ok := capabilityOfAction[action.Kind]; ok {
		return []Capability{capability}
	}
	var capabilities []Capability
	if action.Kind == billing.StartSubscriptionAction && action.MethodID != "" {
		capabilities = append(capabilities, SavedMethods)
	}
	if action.Kind == billing.StartSubscriptionAction && action.TrialDays > 0 {
		capabilities = append(capabilities, Trials)
	}
	return capabilities
}

// Unsupported returns the error for a request that needs a missing capability.
func Unsupported(missing Capability) error {
	return fault.Newf(fault.Unsupported, "The payment provider does not support %s.", capabilityNames[missing])
}

// Unimplemented returns Unsupported for every request that needs a capability. The adapter of a provider that
// lacks some capabilities embeds Unimplemented and implements the remaining methods of Provider.
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
func (Unimplemented) SetDefaultCard(context.Context, SavedCardRequest) (billing.Customer, error) {
	return billing.Customer{}, Unsupported(SavedMethods)
}

// DeleteCard needs SavedMethods.
func (Unimplemented) DeleteCard(context.Context, SavedCardRequest) error {
	return Unsupported(SavedMethods)
}

// SetUpMethod needs MethodPage.
func (Unimplemented) SetUpMethod(context.Context, MethodSetup) (billing.NextAction, error) {
	return billing.NextAction{}, Unsupported(MethodPage)
}

// PayInvoice needs the capability PayInvoice.
func (Unimplemented) PayInvoice(context.Context, InvoicePayment) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(PayInvoice)
}

// QuoteSubscription needs Quoting.
func (Unimplemented) QuoteSubscription(context.Context, NewSubscription) (billing.Quote, error) {
	return billing.Quote{}, Unsupported(Quoting)
}

// QuoteChange needs Quoting.
func (Unimplemented) QuoteChange(context.Context, PriceChange) (billing.Quote, error) {
	return billing.Quote{}, Unsupported(Quoting)
}

// CancelScheduledChange needs ChangeAtRenewal.
func (Unimplemented) CancelScheduledChange(context.Context, ScheduledChangeCancellation) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(ChangeAtRenewal)
}

// SetEndAtPeriodEnd needs EndAtPeriodEnd.
func (Unimplemented) SetEndAtPeriodEnd(context.Context, EndRequest) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(EndAtPeriodEnd)
}

// InvoicePDF needs the capability InvoicePDF.
func (Unimplemented) InvoicePDF(context.Context, string, string) (InvoiceDocument, error) {
	return InvoiceDocument{}, Unsupported(InvoicePDF)
}

// AddCredit needs CustomerCredit.
func (Unimplemented) AddCredit(context.Context, CreditGrant) (billing.Customer, error) {
	return billing.Customer{}, Unsupported(CustomerCredit)
}

// ExtendTrial needs Trials.
func (Unimplemented) ExtendTrial(context.Context, TrialExtension) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(Trials)
}

// Refund needs Refunds.
func (Unimplemented) Refund(context.Context, RefundRequest) (billing.Invoice, error) {
	return billing.Invoice{}, Unsupported(Refunds)
}

// LiftHold needs Disputes. A provider that puts customers on hold implements it even if it declares Disputes
// missing.
func (Unimplemented) LiftHold(context.Context, HoldLift) (billing.Customer, error) {
	return billing.Customer{}, Unsupported(Disputes)
}

// ReturnedPayments returns an empty list.
func (Unimplemented) ReturnedPayments(context.Context, string) ([]billing.ReturnedPayment, error) {
	return nil, nil
}

// ChangePlan needs ChangeNow.
func (Unimplemented) ChangePlan(context.Context, PriceChange) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(ChangeNow)
}

// CancelPendingChange needs PendingChanges.
func (Unimplemented) CancelPendingChange(context.Context, PendingChangeCancellation) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(PendingChanges)
}

// Retire needs Fencing.
func (Unimplemented) Retire(context.Context, Retirement) error { return Unsupported(Fencing) }

// ParseEvents needs Webhooks.
func (Unimplemented) ParseEvents(context.Context, Delivery) ([]Event, error) {
	return nil, Unsupported(Webhooks)
}
