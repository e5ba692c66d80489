package payment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
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

// The capabilities, each with the requests that need it. Two methods depend on the Entry instead: with EntryInvoice there
// is no PayInvoice, and only EntryRedirect has SetUpMethod, see HasMethodPage.
const (
	SavedMethods     Capability = "saved_methods"      // Cards, and NewSubscription.MethodID
	Trials           Capability = "trials"             // NewSubscription.TrialDays, ExtendTrial, SetUpMethod with EntryRedirect
	Quoting          Capability = "quotes"             // Quotes
	ChangeNow        Capability = "change_now"         // ChangePlan with ChangeNow, CancelPendingChange
	CheaperChangeNow Capability = "change_now_cheaper" // ChangePlan with ChangeNow when credit remains
	AtPeriodEnd      Capability = "at_period_end"      // ChangePlan with ChangeAtRenewal, CancelScheduledChange, SetEndAtPeriodEnd
	InvoicePDF       Capability = "invoice_pdf"        // Invoices.InvoicePDF and CreditNotePDF
	Refunds          Capability = "refunds"            // Refund
	CustomerCredit   Capability = "credit"             // AddCredit
	Erasure          Capability = "erasure"            // EraseCustomer
	Webhooks         Capability = "webhooks"           // Events
	Fencing          Capability = "fencing"            // Fence
)

// capabilityNames contains the names that messages to the customer use.
var capabilityNames = map[Capability]string{
	SavedMethods:     "saved payment methods",
	Trials:           "trials",
	Quoting:          "quotes",
	ChangeNow:        "changing the plan at once",
	CheaperChangeNow: "changing to a cheaper plan at once",
	AtPeriodEnd:      "changing or ending the plan at the renewal",
	InvoicePDF:       "invoices as PDF",
	Refunds:          "refunds",
	CustomerCredit:   "credit",
	Erasure:          "erasing a customer",
	Webhooks:         "webhooks",
	Fencing:          "stopping a request",
}

// Capabilities declares what a provider can do. A request that needs a missing capability is
// Unsupported; all others work.
type Capabilities struct {
	Entry   Entry
	Missing map[Capability]string // the reason for each missing capability
	// ChargesNewMethods states that PayInvoice charges a new method that the browser has created, and saves it with the
	// payment. Otherwise a new method has to be saved with AddCard first.
	ChargesNewMethods bool
	// LongestRequest is the longest time in which the provider completes a request that has arrived. Without
	// Fencing, another server waits for that time before it takes over an operation.
	LongestRequest time.Duration
	// Minimum returns the smallest amount that the provider charges, in minor units. If Minimum is nil, Stripe's minimum
	// charges apply. See MinimumCharge.
	Minimum func(currency string) int64
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

// MinimumCharge returns the smallest amount that the provider charges, in minor units. It is 0 for a provider that
// collects by invoice, because any amount can be transferred.
func (c Capabilities) MinimumCharge(currency string) int64 {
	if c.CollectsByInvoice() {
		return 0
	}
	if c.Minimum != nil {
		return c.Minimum(currency)
	}
	return engine.MinimumCharge(currency)
}

// HasMethodPage reports whether SetUpMethod works. A customer who starts a trial on the provider's page saves a payment
// method there without paying.
func (c Capabilities) HasMethodPage() bool { return c.Redirects() && c.Has(Trials) }

// Offer returns the part of the catalogue that the provider can sell. A provider without Trials sells no trials.
func (c Capabilities) Offer(plans *catalogue.Catalogue) *catalogue.Catalogue {
	if c.Has(Trials) {
		return plans
	}
	return plans.WithoutTrials()
}

// CheckActions returns Unsupported if the provider can't perform one of the actions.
func (c Capabilities) CheckActions(actions []billing.Action) error {
	for _, action := range actions {
		switch {
		case action.Kind == billing.SetUpMethodAction && !c.HasMethodPage():
			return errNoMethodPage
		case action.Kind == billing.PayInvoiceAction && c.CollectsByInvoice():
			return errPaidByTransfer
		}
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
	billing.SetDefaultCardAction:        SavedMethods,
	billing.DeleteCardAction:            SavedMethods,
	billing.ChangePlanAction:            ChangeNow,
	billing.CancelPendingChangeAction:   ChangeNow,
	billing.ScheduleChangeAction:        AtPeriodEnd,
	billing.CancelScheduledChangeAction: AtPeriodEnd,
	billing.EndAtPeriodEndAction:        AtPeriodEnd,
	billing.ResumeAction:                AtPeriodEnd,
	billing.ExtendTrialAction:           Trials,
	billing.RefundAction:                Refunds,
	billing.AddCreditAction:             CustomerCredit,
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

// The errors for the requests that depend on the Entry.
var (
	errNoMethodPage   = unsupported("saving a payment method without a payment")
	errPaidByTransfer = unsupported("paying an invoice here")
)

// Unsupported returns the error for a request that needs a missing capability.
func Unsupported(missing Capability) error {
	return unsupported(capabilityNames[missing])
}

func unsupported(what string) error {
	return fault.Newf(fault.Unsupported, "The payment provider does not support %s.", what)
}

// Unimplemented returns Unsupported for every request that some providers do not have. The adapter of a provider that
// lacks some capabilities embeds Unimplemented and implements the remaining methods of Provider.
type Unimplemented struct{}

// EraseCustomer needs Erasure.
func (Unimplemented) EraseCustomer(context.Context, string) error { return Unsupported(Erasure) }

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

// SetUpMethod is needed only if Capabilities.HasMethodPage returns true.
func (Unimplemented) SetUpMethod(context.Context, MethodSetup) (billing.NextAction, error) {
	return billing.NextAction{}, errNoMethodPage
}

// PayInvoice is required unless the Entry is EntryInvoice.
func (Unimplemented) PayInvoice(context.Context, InvoicePayment) (billing.Subscription, error) {
	return billing.Subscription{}, errPaidByTransfer
}

// QuoteSubscription needs Quoting.
func (Unimplemented) QuoteSubscription(context.Context, NewSubscription) (billing.Quote, error) {
	return billing.Quote{}, Unsupported(Quoting)
}

// QuoteChange needs Quoting.
func (Unimplemented) QuoteChange(context.Context, PriceChange) (billing.Quote, error) {
	return billing.Quote{}, Unsupported(Quoting)
}

// CancelScheduledChange needs AtPeriodEnd.
func (Unimplemented) CancelScheduledChange(context.Context, ScheduledChangeCancellation) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(AtPeriodEnd)
}

// SetEndAtPeriodEnd needs AtPeriodEnd.
func (Unimplemented) SetEndAtPeriodEnd(context.Context, EndRequest) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(AtPeriodEnd)
}

// InvoicePDF needs the capability InvoicePDF.
func (Unimplemented) InvoicePDF(context.Context, string, string) (InvoiceDocument, error) {
	return InvoiceDocument{}, Unsupported(InvoicePDF)
}

// CreditNotePDF needs the capability InvoicePDF.
func (Unimplemented) CreditNotePDF(context.Context, string, string, string) (InvoiceDocument, error) {
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

// LiftHold is required if the provider puts customers on hold.
func (Unimplemented) LiftHold(context.Context, HoldLift) (billing.Customer, error) {
	return billing.Customer{}, unsupported("holds")
}

// ReturnedPayments returns an empty list.
func (Unimplemented) ReturnedPayments(context.Context, string) ([]billing.ReturnedPayment, error) {
	return nil, nil
}

// ChangePlan needs ChangeNow.
func (Unimplemented) ChangePlan(context.Context, PriceChange) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(ChangeNow)
}

// CancelPendingChange needs ChangeNow.
func (Unimplemented) CancelPendingChange(context.Context, PendingChangeCancellation) (billing.Subscription, error) {
	return billing.Subscription{}, Unsupported(ChangeNow)
}

// Retire needs Fencing.
func (Unimplemented) Retire(context.Context, Retirement) error { return Unsupported(Fencing) }

// ParseEvents needs Webhooks.
func (Unimplemented) ParseEvents(context.Context, Delivery) ([]Event, error) {
	return nil, Unsupported(Webhooks)
}
