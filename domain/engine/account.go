package engine

import (
	"fmt"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
)

// Terms contains the conditions under which an account is billed. With ChargeTerms, invoices are charged. Otherwise the
// customer pays by transfer and has DueDays to pay an invoice. After that, the subscription of an unpaid invoice is past
// due for GraceDays, and then ends.
type Terms struct {
	DueDays      int          // days from the issue of an invoice to its due day; only without ChargeTerms
	GraceDays    int          // days from the due day to the last day of an unpaid subscription; only without ChargeTerms
	NumberPrefix string       // the prefix of invoice numbers
	ChargeTerms  *ChargeTerms // nil if the customer pays by transfer
}

// Account contains the whole billing of one customer. Its methods are queries and commands. A command either changes the
// account, or returns a fault and leaves the account unchanged. The methods do no I/O. The caller loads an account,
// advances it, applies a command, and stores it.
//
// A caller may load an account with only a part of its invoices and attempts. These are required:
//   - the invoices that are open, that its subscriptions refer to, or that have refunded or disputed payments, and the
//     invoice that a command or the attempt of a report names;
//   - all invoices that have used credit, for RecordRefund, Reverse and reports of returned or refunded payments;
//   - the attempts that are not over, that belong to open invoices, or that save a method for a trial, and the attempt that
//     a command or a report names.
type Account struct {
	Terms        Terms
	NewInvoiceID func() string
	NewKey       func() string // returns the key of a new attempt; nil if the customer pays by transfer
	Approved     bool          // orders start without waiting for Approve
	Now          time.Time     // the time of commands and quotes; Advance sets it
	TimeZone     timezone.Zone // of the customer, in which due days end
	// ClaimNow is the time of the clock of claims, which all servers share. It differs from Now if the clock of a server is
	// wrong. If it is zero, claims are measured with Now.
	ClaimNow      time.Time
	Currency      string
	Credit        int64 // in minor units; negative if the customer owes the amount
	HeldCredit    int64 // credit that can't be used while the account is on hold
	Hold          billing.Hold
	Subscriptions []AccountSubscription // newest first, all of them
	Invoices      []Invoice             // newest first
	Attempts      []Attempt             // newest first
	Refunds       []RefundAttempt       // newest first
	Methods       []AccountMethod       // newest first
	DefaultMethod string                // the reference of the method that is charged for renewals; "" for none
	changedIDs    map[string]bool       // the ids and keys of changed records; see HasChanged
}

// AccountSubscription is a subscription with the data that its account keeps about it. It is comparable and can be stored
// as JSON.
type AccountSubscription struct {
	Subscription
	ID             string      `json:"id"`
	StartKey       string      `json:"start_key"`                 // the key of the request that started it
	ChangeKey      string      `json:"change_key,omitempty"`      // the key of the latest request to change the price
	LatestInvoice  string      `json:"latest_invoice,omitempty"`  // id
	PrepaidInvoice string      `json:"prepaid_invoice,omitempty"` // in a trial: the id of the invoice for the period after it
	TrialDays      int         `json:"trial_days,omitempty"`      // of an order that waits for an approval
	EndedAt        time.Time   `json:"ended_at,omitzero"`
	SetupKey       string      `json:"setup_key,omitempty"`    // the key of the attempt that saves a method for a trial
	StopRequest    StopRequest `json:"stop_request,omitempty"` // performed when the open payment is canceled
	// PeriodInvoicedAt is when the last invoice for a whole period was issued. Only charged subscriptions have it.
	PeriodInvoicedAt time.Time `json:"period_invoiced_at,omitzero"`
}

// collector contains the part of the billing that differs between transfers and charges.
type collector interface {
	// subscribe implements Account.Subscribe.
	subscribe(a *Account, req SubscribeRequest) error
	// quoteSubscribe implements Account.QuoteSubscribe.
	quoteSubscribe(a *Account, req SubscribeRequest) (Quote, error)
	// checkChangeNow returns an error for an immediate change that Subscription.CheckChange allows and the collector
	// refuses.
	checkChangeNow(a *Account, s AccountSubscription, change PriceChange) error
	// collect begins to collect a new invoice, unless it is paid already. The customer is present.
	collect(a *Account, inv Invoice, src Source)
	// collectRenewal begins to collect the invoice of a renewal.
	collectRenewal(a *Account, inv Invoice)
	// applyInvoicePayment changes the subscription after its invoice was paid.
	applyInvoicePayment(a *Account, s AccountSubscription, inv Invoice)
	// nextAttemptAt returns when the open latest invoice of the subscription is charged again automatically; zero for never.
	nextAttemptAt(a *Account, s AccountSubscription) time.Time
	// nextStep returns the next step of the subscription; the zero step if it has none.
	nextStep(a *Account, s AccountSubscription) accountStep
}

// collector returns the collector for the Terms.
func (a *Account) collector() collector {
	if a.Terms.ChargeTerms != nil {
		return chargeCollector{a.Terms.ChargeTerms}
	}
	return transferCollector{}
}

// HasChanged reports whether the subscription, invoice, attempt or refund with the id or key was changed or added since
// the account was loaded.
func (a *Account) HasChanged(id string) bool { return a.changedIDs[id] }

// Statuses returns the statuses of all subscriptions.
func (a *Account) Statuses() []billing.Status {
	statuses := make([]billing.Status, len(a.Subscriptions))
	for i, s := range a.Subscriptions {
		statuses[i] = s.Status
	}
	return statuses
}

// Subscription returns the subscription with the id, or NotFound.
func (a *Account) Subscription(id string) (AccountSubscription, error) {
	for _, s := range a.Subscriptions {
		if s.ID == id {
			return s, nil
		}
	}
	return AccountSubscription{}, fault.New(fault.NotFound, "There is no such subscription.")
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

// OpenInvoice returns the open invoice of the subscription, except the invoice of a pending change. There
// is at most one, because an unpaid subscription ends before its next invoice.
func (a *Account) OpenInvoice(s AccountSubscription) (inv Invoice, found bool) {
	for _, inv = range a.Invoices {
		if inv.Subscription == s.ID && inv.Status == billing.InvoiceOpen && inv.ID != s.Pending.Invoice {
			return inv, true
		}
	}
	return Invoice{}, false
}

// NextAttemptAt returns when the open invoice is charged again automatically; zero if it is not. No retry is made without
// a default method, after a hard decline of this method, after the last retry that its kind allows, and if only the
// customer can make the payment. Another default method can make a retry possible again.
func (a *Account) NextAttemptAt(inv Invoice) time.Time {
	s, err := a.Subscription(inv.Subscription)
	if err != nil || s.LatestInvoice != inv.ID || inv.Status != billing.InvoiceOpen {
		return time.Time{}
	}
	return a.collector().nextAttemptAt(a, s)
}

// GraceEndsAt returns the time at which the subscription ends if the customer has not paid the invoice by then. It is the
// end of a day, like the due date.
func (a *Account) GraceEndsAt(inv Invoice) time.Time {
	return a.TimeZone.EndOfDay(inv.DueAt, a.Terms.GraceDays)
}

// dueDate returns when an invoice from createdAt is due: at the end of the due day, so that a payment on that day is in
// time. It returns the zero time with Terms.ChargeTerms.
func (a *Account) dueDate(createdAt time.Time) time.Time {
	if a.Terms.ChargeTerms != nil {
		return time.Time{}
	}
	return a.TimeZone.EndOfDay(createdAt, a.Terms.DueDays)
}

// changeDueDate returns when the invoice of an immediate change is due; the zero time with Terms.ChargeTerms. The last
// possible due day is the day before the period ends, because the change expires with the period.
func (a *Account) changeDueDate(s AccountSubscription, createdAt time.Time) time.Time {
	return earlierTime(a.dueDate(createdAt), a.TimeZone.EndOfDay(s.PeriodEnd, -1))
}

// putSubscription replaces the subscription, or inserts a new one at the front. It sets PaymentProcessing if an attempt
// to collect the latest invoice delays the next step of the subscription.
func (a *Account) putSubscription(s AccountSubscription) {
	s.PaymentProcessing = a.hasDelayingAttempt(s.LatestInvoice)
	if slices.Contains(a.Subscriptions, s) {
		return // HasChanged stays false for an unchanged subscription
	}
	a.markChanged(s.ID)
	a.Subscriptions = upsert(a.Subscriptions, s, func(other AccountSubscription) bool { return other.ID == s.ID })
}

// putInvoice replaces the invoice, or inserts a new one at the front.
func (a *Account) putInvoice(inv Invoice) {
	a.markChanged(inv.ID)
	a.Invoices = upsert(a.Invoices, inv, func(other Invoice) bool { return other.ID == inv.ID })
}

// upsert returns a copy of the list. In the copy, the value replaces the element that isSame matches, or is inserted at
// the front. The list itself stays unchanged, because copies of the account share it.
func upsert[T any](list []T, value T, isSame func(T) bool) []T {
	i := slices.IndexFunc(list, isSame)
	if i < 0 {
		return slices.Insert(slices.Clone(list), 0, value)
	}
	list = slices.Clone(list)
	list[i] = value
	return list
}

func (a *Account) markChanged(id string) {
	if a.changedIDs == nil {
		a.changedIDs = map[string]bool{}
	}
	a.changedIDs[id] = true
}

// InvoiceNumber returns the printed form of an invoice number.
func (t Terms) InvoiceNumber(n int64) string { return fmt.Sprintf("%s%06d", t.NumberPrefix, n) }

// mustAmount returns the amount of minor units. It panics for a currency that is not in the catalogue.
func mustAmount(minor int64, currency string) money.Amount {
	amount, err := money.New(minor, currency)
	if err != nil {
		panic(fmt.Sprintf("engine: an amount in %q: %v", currency, err))
	}
	return amount
}
