package billing

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
)

// InvoiceStatus is the status of an invoice.
type InvoiceStatus string

// The statuses of invoices.
const (
	InvoiceDraft InvoiceStatus = "draft" // not charged yet
	InvoiceOpen  InvoiceStatus = "open"  // finalised, but not paid yet
	InvoicePaid  InvoiceStatus = "paid"
	InvoiceVoid  InvoiceStatus = "void" // can't be paid any more
	// InvoiceUncollectible is the status of an invoice that an operator has written off. The provider does not charge it
	// any more, but the customer can still pay it.
	InvoiceUncollectible InvoiceStatus = "uncollectible"
)

// IsCollectible reports whether an invoice in this status is still to be paid.
func (s InvoiceStatus) IsCollectible() bool { return s == InvoiceDraft || s == InvoiceOpen }

// IsPayable reports whether the customer can pay an invoice in this status.
func (s InvoiceStatus) IsPayable() bool { return s == InvoiceOpen || s == InvoiceUncollectible }

// Invoice is an invoice of a subscription. The latest invoice of a Subscription has an ID, Status, Total, CreditUsed,
// CarriedForward, AmountDue, AmountPaid, Tax, Returned, CreatedAt, NextAttemptAt and Payment. Its other fields may be
// zero. Otherwise they equal those of the same invoice in the provider's list. ReceivedPayments and Returns are either
// both set, and Movements returns each payment and return, or both empty, and Movements returns their sums.
//
// Total is CreditUsed plus CarriedForward plus AmountDue, unless the invoice is void or was changed by a credit note.
// The zero Amount, which has no currency, means zero.
type Invoice struct {
	ID             string
	Number         string        `json:",omitzero"` // the number for the customer; "" while the invoice is a draft
	SubscriptionID string        `json:",omitzero"`
	Status         InvoiceStatus `json:",omitzero"`
	Lines          []Line        `json:",omitzero"`
	Tax            money.Amount  `json:",omitzero"` // the part of Total that is tax; prices include it
	Total          money.Amount  `json:",omitzero"` // the sum of Lines; negative when it becomes credit
	CreditUsed     money.Amount  `json:",omitzero"` // deducted from Total; negative if the invoice added credit; zero if it is void
	CarriedForward money.Amount  `json:",omitzero"` // the part of Total that is too small to be charged and is due with the next invoice
	AmountDue      money.Amount  `json:",omitzero"` // Total less credit and credit notes; it does not change when the invoice is paid
	AmountPaid     money.Amount  `json:",omitzero"` // charged successfully, or received; a part of AmountDue while the invoice is open
	Refunded       money.Amount  `json:",omitzero"` // the part of AmountPaid that was returned to the customer
	Credited       money.Amount  `json:",omitzero"` // the part that was paid and became the customer's credit later
	Returned       money.Amount  `json:",omitzero"` // taken back by the customer's bank and owed again; not a part of AmountPaid
	FailedRefunds  money.Amount  `json:",omitzero"` // refunds that did not reach the customer; not a part of Refunded
	CreatedAt      time.Time     `json:",omitzero"`
	DueAt          time.Time     `json:",omitzero"` // the time by which the customer has to pay; zero if the invoice is charged immediately
	PaidAt         time.Time     `json:",omitzero"` // zero until it is paid
	NextAttemptAt  time.Time     `json:",omitzero"` // when the provider charges the invoice again automatically; zero for never
	HasPDF         bool          `json:",omitzero"`
	// Buyer is the addressee; nil if the provider doesn't report it. It is not stored.
	Buyer *Buyer `json:",omitzero"`
	// Seller is the issuer; nil if the provider doesn't report it. It is not stored.
	Seller *Seller `json:"-"`
	// TaxName is the name and percentage of the tax, "GST 10 %"; "" for none, or if the provider doesn't report it. It is
	// not stored.
	TaxName string `json:"-"`
	// ReceivedPayments contains the known payments of the invoice, oldest first, including those that the customer's bank
	// took back. It is not stored.
	ReceivedPayments []ReceivedPayment `json:",omitzero"`
	// Returns contains the known returns of the payments, oldest first. Their sums by kind equal Refunded, Credited and
	// Returned, as far as they are known.
	Returns []Return `json:",omitzero"`
	// TimeZone is the zone in which the dates of the invoice are written. It is set when the invoice is issued, and does
	// not change when the customer moves; see SetTimeZones.
	TimeZone timezone.Zone `json:",omitzero"`
	// Payment is nil when there is nothing to pay, as for the first invoice of a trial. Providers without payments that
	// a browser confirms set it only while a payment is Processing.
	Payment *Intent `json:",omitzero"`
}

// Buyer is the addressee of an invoice at the time of its issue. Any part may be empty.
type Buyer struct {
	Name                                  string
	Line1, Line2, City, State, PostalCode string
	Country                               string // ISO 3166 alpha-2
	TaxIDType, TaxID                      string // "au_abn"; both are empty without a tax id
	PurchaseOrder                         string
}

// Seller is the issuer of an invoice, as its document names it.
type Seller struct {
	Name  string
	Lines []string // address, contact and tax id
}

// ReceivedPayment describes a payment that was received for an invoice.
type ReceivedPayment struct {
	Amount money.Amount   // the part that paid the invoice
	Excess money.Amount   // the part that exceeded the invoice and became credit
	At     time.Time      // when it was received
	Method *PaymentMethod // nil when unknown; without an ID if the method is not saved
}

// Summary returns the parts of the invoice that are stored. It drops the payments, the parties and the document, and
// replaces the lines by one with the description of the main line and the total. All amounts get the currency of the
// total.
func (i Invoice) Summary() Invoice {
	if description := i.Description(); description != "" {
		i.Lines = []Line{{Description: description, Amount: i.Total}}
	} else {
		i.Lines = nil
	}
	i.Payment, i.Buyer, i.Seller, i.ReceivedPayments = nil, nil, nil, nil
	i.TaxName, i.HasPDF = "", false
	for _, amount := range []*money.Amount{
		&i.Tax, &i.CreditUsed, &i.CarriedForward, &i.AmountDue, &i.AmountPaid, &i.Refunded, &i.Credited, &i.Returned, &i.FailedRefunds,
	} {
		if convertedAmount, err := money.New(amount.Minor(), i.Total.Currency().Code); err == nil {
			*amount = convertedAmount
		}
	}
	return i
}

// Description returns the description of the line with the largest amount, which is the main line of the invoice;
// "" without lines. The invoice of a change between the intervals of one plan names the new interval: "Professional,
// monthly". Stripe's descriptions contain it already: "1 × Professional (at $76.00 / month)".
func (i Invoice) Description() string {
	if len(i.Lines) == 0 {
		return ""
	}
	main := slices.MaxFunc(i.Lines, func(a, b Line) int { return cmp.Compare(a.Amount.Minor(), b.Amount.Minor()) })
	changesInterval := slices.ContainsFunc(i.Lines, func(l Line) bool {
		return l.Amount.Minor() < 0 && l.Price.Product == main.Price.Product && l.Price.Interval != main.Price.Interval
	})
	if unit := strings.TrimSuffix(string(main.Price.Interval), "ly"); changesInterval && !strings.Contains(main.Description, unit) {
		return main.Description + ", " + string(main.Price.Interval)
	}
	return main.Description
}

// isPaidByCredit reports whether credit alone has paid the invoice.
func (i Invoice) isPaidByCredit() bool {
	return i.Status == InvoicePaid && i.CreditUsed.Minor() > 0 && i.AmountDue.Minor() == 0 && i.AmountPaid.Minor() == 0
}

// awaitsTransfer reports whether the customer still has to pay the invoice by a date, and nothing charges it
// automatically.
func (i Invoice) awaitsTransfer() bool {
	return i.Status == InvoiceOpen && i.AmountRemaining().Minor() > 0 && !i.DueAt.IsZero() && i.NextAttemptAt.IsZero()
}

// ChangedInvoices returns the summaries of the reported invoices that are new or differ from the stored ones.
func ChangedInvoices(storedInvoices, reportedInvoices []Invoice) []Invoice {
	storedByID := make(map[string]Invoice, len(storedInvoices))
	for _, inv := range storedInvoices {
		storedByID[inv.ID] = inv
	}
	var result []Invoice
	for _, inv := range reportedInvoices {
		if inv = inv.Summary(); !reflect.DeepEqual(storedByID[inv.ID], inv) {
			result = append(result, inv)
		}
	}
	return result
}

// SetTimeZones returns the invoices with their time zones set. It uses the first known of these zones: the zone that
// the provider reported, the zone of the stored copy, and the current zone of the organisation.
func SetTimeZones(invoices, storedInvoices []Invoice, currentZone timezone.Zone) []Invoice {
	zones := make(map[string]timezone.Zone, len(storedInvoices))
	for _, inv := range storedInvoices {
		zones[inv.ID] = inv.TimeZone
	}
	result := slices.Clone(invoices)
	for i, inv := range result {
		result[i].TimeZone = cmp.Or(inv.TimeZone, zones[inv.ID], currentZone)
	}
	return result
}

// invoiceOverlap limits how much older than the newest stored invoice a new invoice can be. A new invoice can be older
// because providers list a draft only after it is finalised.
const invoiceOverlap = 48 * time.Hour

// InvoiceRefreshStart returns the creation time from which the provider's invoices are read again. All older invoices
// are stored, and were neither drafts nor open when they were stored. InvoiceRefreshStart returns the zero time if no
// invoice is stored.
func InvoiceRefreshStart(storedInvoices []Invoice) time.Time {
	if len(storedInvoices) == 0 {
		return time.Time{}
	}
	byCreation := func(a, b Invoice) int { return a.CreatedAt.Compare(b.CreatedAt) }
	since := slices.MaxFunc(storedInvoices, byCreation).CreatedAt.Add(-invoiceOverlap)
	for _, inv := range storedInvoices {
		if inv.Status.IsCollectible() && inv.CreatedAt.Before(since) {
			since = inv.CreatedAt
		}
	}
	return since
}

// SubscriptionsWithSeveralOpenInvoices returns the ids of the subscriptions with more than one open invoice. A
// customer can pay only the latest one; see Account.OpenPayment.
func SubscriptionsWithSeveralOpenInvoices(invoices []Invoice) []string {
	openCount := map[string]int{}
	for _, inv := range invoices {
		if inv.Status == InvoiceOpen && inv.SubscriptionID != "" {
			openCount[inv.SubscriptionID]++
		}
	}
	maps.DeleteFunc(openCount, func(_ string, n int) bool { return n < 2 })
	return slices.Sorted(maps.Keys(openCount))
}

// Line is a line of an invoice or quote.
type Line struct {
	Description string             // "Professional", "Unused time on Standard"
	Price       catalogue.PriceRef // zero when the line is not about a price of the catalogue
	Amount      money.Amount       // negative for unused time
	Start, End  time.Time          // the period that is paid for or credited
	Proration   bool               // Amount is for a part of a period
}

// IntentStatus is the status of a payment or of the authentication of a card.
type IntentStatus string

// The statuses of intents, named as in Stripe's API.
const (
	RequiresPaymentMethod IntentStatus = "requires_payment_method"
	RequiresConfirmation  IntentStatus = "requires_confirmation"
	RequiresAction        IntentStatus = "requires_action"
	Processing            IntentStatus = "processing"
	Succeeded             IntentStatus = "succeeded"
	IntentCanceled        IntentStatus = "canceled"
)

// Intent is a payment, or the authentication of a card for later payments.
type Intent struct {
	ID           string       `json:",omitzero"`
	Status       IntentStatus `json:",omitzero"`
	ClientSecret string       `json:",omitzero"` // lets the customer's browser confirm the intent; "" if it can't; never stored or logged
	// HardDecline reports that the card of the last attempt was refused permanently, because it was
	// lost or stolen or has expired. It is not stored.
	HardDecline bool `json:",omitzero"`
	// ChargedMethod is the method that is charged, and ExpectedBy the time by which the money arrives. Both are set only
	// while Status is Processing and if the provider reports them. They are stored with the NextAction only.
	ChargedMethod *PaymentMethod `json:",omitzero"`
	ExpectedBy    time.Time      `json:",omitzero"`
	// LastFailure is the failed attempt that caused the status RequiresPaymentMethod, if the provider reports it. It is
	// stored with the NextAction only.
	LastFailure FailedAttempt `json:",omitzero"`
}

// FailedAttempt is a failed attempt to charge or authenticate a payment method.
type FailedAttempt struct {
	MethodID string    `json:",omitzero"` // the method that was declined; "" when unknown, or when only its authentication failed
	At       time.Time `json:",omitzero"` // zero when unknown
	// IsReturn is true if the payment had succeeded, and the customer's bank returned it at At.
	IsReturn bool `json:",omitzero"`
}

// isInProgress reports whether the browser or the provider may complete the intent at any moment.
func (i *Intent) isInProgress() bool {
	return i != nil && slices.Contains([]IntentStatus{RequiresConfirmation, RequiresAction, Processing}, i.Status)
}

// storedFields returns a copy with the stored fields only, or nil.
func (i *Intent) storedFields() *Intent {
	if i == nil {
		return nil
	}
	return &Intent{ID: i.ID, Status: i.Status}
}

// withoutClientSecret returns a copy without the client secret, or nil.
func (i *Intent) withoutClientSecret() *Intent {
	if i == nil {
		return nil
	}
	intent := *i
	intent.ClientSecret = ""
	return &intent
}
