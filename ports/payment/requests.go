package payment

import (
	"cmp"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// NewCustomer creates an organisation's customer.
type NewCustomer struct {
	Key            string
	OrganisationID string // stored at the provider, so that CustomerOf finds the customer
	Name           string // the organisation's name, for the provider's receipts
	Email          string
	Phone          string
	Currency       string // the currency chosen at registration; "" if none was chosen
	Address        account.Address
}

// Owner identifies the organisation that a customer was created for.
type Owner struct {
	OrganisationID string
	Email          string // the email address with which the customer was created, or that an update has sent last
}

// NewCard saves a card.
type NewCard struct {
	Key        string
	CustomerID string
	MethodID   string // the payment method that the browser created
	// KeepDefault saves the card without making it the default one.
	KeepDefault bool
	// ReturnTo is the URL to which the customer returns from a page that authenticates the card; see NewSubscription.
	ReturnTo string `json:"-"`
}

// SavedCardRequest names one of the customer's saved cards.
type SavedCardRequest struct {
	Key        string
	CustomerID string
	MethodID   string
}

// MethodSetup opens a page on which the customer saves a payment method.
type MethodSetup struct {
	Key        string
	CustomerID string
	ReturnTo   string // the URL to which the page sends the customer back
}

// NewSubscription starts a subscription.
type NewSubscription struct {
	Key        string
	CustomerID string
	MethodID   string // a saved method, or a card created in the browser; "" for the default card, or the provider's page
	Price      catalogue.PriceRef
	TrialDays  int // 0 charges now
	// Sole makes Subscribe return Conflict if the customer has another live, incomplete or unpaid subscription to a
	// product of the catalogue. It protects a caller with an outdated copy.
	Sole bool
	// First makes Subscribe return Conflict if the customer ever had a subscription. It protects a caller that has
	// chosen a currency and a trial because its outdated copy contains no subscription.
	First bool
	// Quoted makes Subscribe return Conflict unless QuoteSubscription would return these amounts now. The check and the
	// charge are one step: a refund, a dispute or new credit comes before both or after both. A provider whose service has
	// no such step makes the check immediately before the charge.
	Quoted billing.QuotedAmounts
	// ReturnTo is the URL to which the provider sends the customer back from a page. With EntryRedirect it is not used with a
	// trial. A repeat of the request may have another one, because an operator can change the public URL in between, so
	// Fingerprint omits it.
	ReturnTo string `json:"-"`
}

// maxTrialDays is the longest trial in days. It is two years, the same as Stripe's limit.
const maxTrialDays = 730

// Check returns an error if a customer can't start the subscription: Invalid because of the length of the trial or the
// currency, or Conflict because of Sole or First. currency is the customer's currency, or "" before the first
// subscription. statuses contains the status of every subscription of the customer.
func (req NewSubscription) Check(currency string, statuses []billing.Status) error {
	switch {
	case req.TrialDays < 0 || req.TrialDays > maxTrialDays:
		return fault.Newf(fault.Invalid, "A trial has 0 to %d days.", maxTrialDays)
	case currency != "" && currency != req.Price.Currency:
		return fault.Newf(fault.Invalid, "The customer pays in %s and can't be charged in %s.", currency, req.Price.Currency)
	}
	for _, status := range statuses {
		if req.First || req.Sole && status != billing.Canceled && status != billing.IncompleteExpired {
			return fault.New(fault.Conflict, "The customer has a subscription already.")
		}
	}
	return nil
}

// InvoicePayment charges an open invoice of a subscription.
type InvoicePayment struct {
	Key       string
	InvoiceID string
	Amount    money.Amount // the amount that the customer agreed to; Conflict unless it is the remaining amount of the invoice
	// MethodID is one of the customer's saved payment methods; "" for the default one, or the provider's page. With
	// Capabilities.ChargesNewMethods it may be a new method that the browser has created. If it is not declined, it is saved
	// and, without KeepDefault, becomes the default one.
	MethodID    string
	KeepDefault bool
	ReturnTo    string `json:"-"` // see NewSubscription
	// Ended states that the subscription was canceled and that the invoice is still owed. PayInvoice returns Conflict
	// for a canceled subscription without Ended, and for any other subscription with Ended, because the customer has
	// agreed to something else.
	Ended bool
}

// Allows reports whether an open invoice of a subscription with the status may be paid by the request.
func (req InvoicePayment) Allows(status billing.Status) bool {
	if req.Ended {
		return status == billing.Canceled
	}
	return !status.Ended()
}

// PriceChange changes a subscription to another price of the same currency. The application never
// requests a change to the current price.
type PriceChange struct {
	Key            string
	SubscriptionID string
	From           catalogue.PriceRef // Conflict unless this is the current price
	To             catalogue.PriceRef
	// At is a time within the current period, for which the unused part of the period is calculated. The zero time
	// stands for the provider's current time.
	At time.Time
	// EndTrial states that the change ends a running trial. ChangePlan returns Conflict for a trialing subscription
	// without EndTrial, and for any other subscription with EndTrial, because the customer has agreed to something else.
	EndTrial bool
	When     billing.ChangeTiming  // At, EndTrial and Quoted are not used with ChangeAtRenewal
	Quoted   billing.QuotedAmounts // see NewSubscription
	ReturnTo string                `json:"-"` // see NewSubscription
}

// ScheduledChangeCancellation cancels a scheduled plan change.
type ScheduledChangeCancellation struct {
	Key            string
	SubscriptionID string
}

// EndRequest ends a subscription at the end of its period or, if End is false, lets it renew again.
type EndRequest struct {
	Key            string
	SubscriptionID string
	End            bool
}

// PendingChangeCancellation discards a pending plan change.
type PendingChangeCancellation struct {
	Key            string
	SubscriptionID string
	InvoiceID      string // of the pending change
}

// Cancellation ends a subscription.
type Cancellation struct {
	Key            string
	SubscriptionID string
	// IfUnpaid keeps a live subscription unchanged. If an incomplete or unpaid subscription is paid at the same time, it
	// either ends and can't be paid, or is paid and stays live.
	IfUnpaid bool
	// IfOverdue keeps an active or trialing subscription unchanged. Such a subscription was overdue, and its invoice was
	// paid before the request arrived.
	IfOverdue bool
	// VoidInvoices voids the open invoices of a past due subscription, so that the customer owes nothing.
	// Without VoidInvoices they stay owed. If one of them is paid at the same time, the subscription stays live.
	// VoidInvoices implies IfOverdue.
	VoidInvoices bool
}

// LeavesUnchanged reports whether the request leaves a subscription with the status unchanged because it is paid.
func (req Cancellation) LeavesUnchanged(status billing.Status) bool {
	if !status.Live() {
		return false
	}
	return req.IfUnpaid || (req.IfOverdue || req.VoidInvoices) && status != billing.PastDue
}

// InvoiceQuery selects a page of a customer's invoices.
type InvoiceQuery struct {
	CustomerID string
	Limit      int    // 1 to 100
	After      string // the id of the last invoice of the previous page; "" for the first page
	InvoiceID  string // selects only this invoice, without After; "" for a page
}

// maxPageLimit is the largest InvoiceQuery.Limit.
const maxPageLimit = 100

// Check returns Invalid for a Limit that is out of range.
func (req InvoiceQuery) Check() error {
	if req.Limit < 1 || req.Limit > maxPageLimit {
		return fault.Newf(fault.Invalid, "A page has 1 to %d invoices.", maxPageLimit)
	}
	return nil
}

// InvoiceList is a page of a customer's invoices.
type InvoiceList struct {
	Invoices []billing.Invoice
	HasMore  bool
}

// SelectPage returns the requested page. invoices contains all invoices of the customer, newest first. SelectPage returns
// the error of InvoiceQuery.Check, and NotFound for an unknown After or InvoiceID.
func SelectPage(invoices []billing.Invoice, req InvoiceQuery) (InvoiceList, error) {
	if err := req.Check(); err != nil {
		return InvoiceList{}, err
	}
	if id := cmp.Or(req.InvoiceID, req.After); id != "" {
		i := slices.IndexFunc(invoices, func(inv billing.Invoice) bool { return inv.ID == id })
		switch {
		case i < 0:
			return InvoiceList{}, fault.New(fault.NotFound, "There is no such invoice.")
		case req.InvoiceID != "":
			invoices = invoices[i : i+1]
		default:
			invoices = invoices[i+1:]
		}
	}
	return InvoiceList{Invoices: invoices[:min(req.Limit, len(invoices))], HasMore: len(invoices) > req.Limit}, nil
}

// CustomerUpdate changes the billing details of the next invoices.
type CustomerUpdate struct {
	Key        string
	CustomerID string
	Details    account.BillingDetails
	Email      string // the address of the longest-standing owner; "" keeps the customer's
}

// CreditGrant adds credit.
type CreditGrant struct {
	Key        string
	CustomerID string
	Amount     money.Amount
	Reason     string // for the provider's records, without personal data
}

// TrialExtension moves the end of a trial.
type TrialExtension struct {
	Key            string
	SubscriptionID string
	Until          time.Time
}

// RefundRequest refunds a part of an invoice's payment.
type RefundRequest struct {
	Key       string
	InvoiceID string
	Amount    money.Amount
}

// HoldLift ends the hold of a customer.
type HoldLift struct {
	Key        string
	CustomerID string
}

// Retirement stops another request.
type Retirement struct {
	Key        string // the key of the request to stop
	CustomerID string // the customer that the request is about
}

// Check returns Invalid if the key is empty.
func (req Retirement) Check() error {
	if req.Key == "" {
		return fault.New(fault.Invalid, "The key of a request is required.")
	}
	return nil
}
