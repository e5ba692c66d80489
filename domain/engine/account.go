package engine

import (
	"fmt"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// Terms are the conditions under which an account is billed. A customer who pays by transfer has some days to pay an
// invoice; a subscription with an unpaid invoice is past due then, and ends after some more days of grace. With Charging,
// invoices are charged instead.
type Terms struct {
	Due      int       // days after which an invoice is due
	Grace    int       // days after the due date after which an unpaid subscription ends
	Prefix   string    // of invoice numbers
	Charging *Charging // nil if the customer pays by transfer; Due and Grace are not used otherwise
}

// Account is the whole billing of one customer. Its methods are commands, which change it or return a fault and leave it as
// it is, and queries. They do no I/O. The caller loads an account, advances it, applies a command, and stores it.
//
// An account need not have all invoices. It needs those that are open, the ones that its subscriptions refer to, those
// whose payments were refunded or disputed, and the one that a command or the attempt of a report names. Refund, Reverse
// and reports of returned or refunded payments need all that have used credit. Of the attempts it needs those that are not
// over, those of open invoices, those that save a method for a trial, and the one that a command or a report names.
type Account struct {
	Terms         Terms
	NewInvoiceID  func() string
	NewKey        func() string // of attempts; nil if the customer pays by transfer
	Approved      bool          // orders need not wait for an approval
	Now           time.Time     // of commands and quotes; Advance sets it
	Currency      string
	Credit        int64 // in minor units; negative when the customer owes it
	HeldCredit    int64 // not used while the account is on hold
	Hold          billing.Hold
	Subscriptions []AccountSubscription // newest first, all of them
	Invoices      []Invoice             // newest first
	Attempts      []Attempt             // newest first
	Refunds       []AccountRefund       // newest first
	Methods       []AccountMethod       // newest first
	DefaultMethod string                // reference of the method that is charged for renewals; "" for none
	changed       map[string]bool
}

// AccountSubscription is a subscription in an account. It is comparable and can be stored as JSON.
type AccountSubscription struct {
	Subscription
	ID        string    `json:"id"`
	MadeBy    string    `json:"made_by"`              // key of the request
	ChangedBy string    `json:"changed_by,omitempty"` // key of the latest request to change the price
	Invoice   string    `json:"invoice,omitempty"`    // the latest one
	Prepaid   string    `json:"prepaid,omitempty"`    // during a trial: the invoice for the period after it
	TrialDays int       `json:"trial_days,omitempty"` // while it waits for an approval
	EndedAt   time.Time `json:"ended_at,omitzero"`
	Setup     string    `json:"setup,omitempty"`    // key of the attempt that saves a method for a trial
	Stopping  Stop      `json:"stopping,omitempty"` // waits until the open payment is canceled
	// PaidSince is when a charged subscription was last billed for a whole period.
	PaidSince time.Time `json:"paid_since,omitzero"`
}

// Stop is a request that is carried out when the open payment of a subscription is canceled, unless that is paid first.
type Stop string

// The requests that can wait.
const (
	StopNothing    Stop = ""
	StopChange     Stop = "change"      // drop the pending change
	StopPlan       Stop = "plan"        // end the subscription
	StopPlanUnpaid Stop = "plan_unpaid" // end the subscription and void its invoice
)

// Changed reports whether a subscription, an invoice, an attempt or a refund was changed or added, by its id or key.
func (a *Account) Changed(id string) bool { return a.changed[id] }

// Statuses returns the statuses of all subscriptions.
func (a *Account) Statuses() []billing.Status {
	all := make([]billing.Status, len(a.Subscriptions))
	for i, s := range a.Subscriptions {
		all[i] = s.Status
	}
	return all
}

// Subscription returns the subscription with the id, or NotFound.
func (a *Account) Subscription(id string) (AccountSubscription, error) {
	if i := a.indexOf(id); i >= 0 {
		return a.Subscriptions[i], nil
	}
	return AccountSubscription{}, fault.New(fault.NotFound, "There is no such subscription.")
}

func (a *Account) indexOf(subscriptionID string) int {
	return slices.IndexFunc(a.Subscriptions, func(s AccountSubscription) bool { return s.ID == subscriptionID })
}

// Invoice returns the invoice with the id, or the zero invoice.
func (a *Account) Invoice(id string) Invoice {
	for _, inv := range a.Invoices {
		if inv.ID == id {
			return inv
		}
	}
	return Invoice{}
}

// OpenInvoice returns the open invoice of the subscription that is not that of a pending change. There
// is at most one, because an unpaid subscription ends before its next invoice.
func (a *Account) OpenInvoice(s AccountSubscription) (Invoice, bool) {
	for _, inv := range a.Invoices {
		if inv.Subscription == s.ID && inv.Status == billing.InvoiceOpen && inv.ID != s.Pending.Invoice {
			return inv, true
		}
	}
	return Invoice{}, false
}

// EndsUnpaid returns when a subscription with the invoice ends if that stays unpaid.
func (a *Account) EndsUnpaid(inv Invoice) time.Time { return inv.DueAt.AddDate(0, 0, a.Terms.Grace) }

// due returns when an invoice is due; zero for one that is charged at once.
func (a *Account) due(from time.Time) time.Time {
	if a.Terms.Charging != nil {
		return time.Time{}
	}
	return from.AddDate(0, 0, a.Terms.Due)
}

// put replaces the subscription, or inserts a new one at the front. It waits while a payment of its latest invoice pauses it.
func (a *Account) put(s AccountSubscription) {
	s.Processing = a.pauses(s.Invoice)
	i := a.indexOf(s.ID)
	if i >= 0 && a.Subscriptions[i] == s {
		return
	}
	a.mark(s.ID)
	if i >= 0 {
		a.Subscriptions[i] = s
		return
	}
	a.Subscriptions = slices.Insert(a.Subscriptions, 0, s)
}

// putInvoice replaces the invoice, or inserts a new one at the front.
func (a *Account) putInvoice(inv Invoice) {
	a.mark(inv.ID)
	i := slices.IndexFunc(a.Invoices, func(known Invoice) bool { return known.ID == inv.ID })
	if i >= 0 {
		a.Invoices[i] = inv
		return
	}
	a.Invoices = slices.Insert(a.Invoices, 0, inv)
}

func (a *Account) mark(id string) {
	if a.changed == nil {
		a.changed = map[string]bool{}
	}
	a.changed[id] = true
}

// Number returns the number of an invoice as it is printed.
func (t Terms) Number(n int64) string { return fmt.Sprintf("%s%06d", t.Prefix, n) }

// amountIn returns an amount in a currency in which something was sold.
func amountIn(minor int64, currency string) money.Amount {
	amount, err := money.New(minor, currency)
	if err != nil {
		panic(fmt.Sprintf("engine: an amount in %q: %v", currency, err))
	}
	return amount
}
