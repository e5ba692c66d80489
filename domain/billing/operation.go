package billing

import (
	"slices"
	"strconv"
	"time"
	"unicode"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// OperationKind groups the operations of an organisation that exclude each other: while one of a kind
// is pending, no other of that kind may begin.
type OperationKind string

// The kinds of operations.
const (
	CustomerOperation     OperationKind = "customer"     // creates the organisation's customer
	SubscriptionOperation OperationKind = "subscription" // changes its subscription or saved cards
	DetailsOperation      OperationKind = "details"      // changes its billing details
)

// Operation is a request that must act once at the payment provider. It is stored with all its actions
// before the first one is sent, so that the same actions can be repeated or stopped after a crash. It
// stays pending until its outcome is known; a timeout leaves the outcome unknown.
type Operation struct {
	Key            string // random and without personal data; the keys of the actions begin with it
	OrganisationID string
	Kind           OperationKind
	Fingerprint    string   // a hash of the parameters, equal only for repeats of the same request
	Actions        []Action // in the order in which they are sent; none once the operation is settled
	CreatedAt      time.Time
	SettledAt      time.Time // zero while pending
	Result         string    // the id of the created object, or ""

	// Revision is the account's revision that Actions were decided for; nil when they don't depend on
	// the account. It is not stored.
	Revision *int64
	// Age is the time since the operation began, by the clock of the database. It is negative after that
	// clock was set back, so it decides only when to try to take the operation over, never whether that is
	// safe. The store computes it.
	Age time.Duration
}

// Pending reports whether the operation's outcome is still unknown.
func (o Operation) Pending() bool { return o.SettledAt.IsZero() }

// Charges reports whether the operation can charge a card. It is true for an operation without actions: an
// earlier version of the application began it without storing them.
func (o Operation) Charges() bool {
	for _, s := range o.Actions {
		if s.Kind.Charges() {
			return true
		}
	}
	return len(o.Actions) == 0 && o.Kind != CustomerOperation
}

// FindResult returns the id of the live subscription that the operation has created, paid or changed, or "". It
// compares the keys and ids of the actions with the subscription, never times.
func (o Operation) FindResult(a *Account) string {
	live := a.Live()
	if live == nil {
		return ""
	}
	for _, s := range o.Actions {
		if s.Key == live.MadeBy || s.Kind.Charges() && s.SubscriptionID == live.ID {
			return live.ID
		}
	}
	return ""
}

// ActionKind is the kind of an action.
type ActionKind string

// The kinds of actions.
const (
	SaveCardAction              ActionKind = "save card"        // and make it the default one
	SetDefaultCardAction        ActionKind = "set default card" // one that is saved already
	DeleteCardAction            ActionKind = "delete card"
	EndUnpaidAction             ActionKind = "end unpaid subscription" // unless it was paid in the meantime
	StartSubscriptionAction     ActionKind = "start subscription"
	PayInvoiceAction            ActionKind = "pay invoice"
	ChangePlanAction            ActionKind = "change plan"
	CancelPendingChangeAction   ActionKind = "drop pending change"
	ScheduleChangeAction        ActionKind = "schedule change"
	CancelScheduledChangeAction ActionKind = "cancel scheduled change"
	EndAtPeriodEndAction        ActionKind = "end at period end"
	ResumeAction                ActionKind = "resume"          // renew a subscription that is ending
	EndNowAction                ActionKind = "end now"         // a subscription that is past due
	WithdrawOrderAction         ActionKind = "withdraw order"  // unless it was approved in the meantime
	UpdateCustomerAction        ActionKind = "update customer" // its billing details
)

// Charges reports whether an action of this kind can charge a card. It is true for an unknown kind, which
// a newer server may have stored.
func (k ActionKind) Charges() bool {
	switch k {
	case SaveCardAction, SetDefaultCardAction, DeleteCardAction, EndUnpaidAction, CancelPendingChangeAction,
		ScheduleChangeAction, CancelScheduledChangeAction, EndAtPeriodEndAction, ResumeAction, EndNowAction, WithdrawOrderAction, UpdateCustomerAction:
		return false
	case StartSubscriptionAction, PayInvoiceAction, ChangePlanAction:
	}
	return true
}

// Action is one request to the payment provider with all its parameters. It is stored with its
// operation, and every attempt sends exactly these parameters. Which fields are set depends on the
// kind.
type Action struct {
	Kind           ActionKind
	Key            string // the idempotency key of the request; set by WithKeys
	CustomerID     string
	SubscriptionID string
	InvoiceID      string
	MethodID       string
	Amount         money.Amount       // the amount that the customer agreed to pay
	From           catalogue.PriceRef // the price before a change
	Price          catalogue.PriceRef // the price that is bought
	TrialDays      int
	First          bool      // no earlier subscription of the customer is known
	KeepDefault    bool      // a saved card does not become the default one
	EndTrial       bool      // a change ends a running trial
	Ended          bool      // the invoice to be paid is that of an ended subscription
	At             time.Time // the proration date of a change
	VoidInvoices   bool      // an end voids the open invoices
	Details        string    // billing details, encoded by account.BillingDetails
}

// WithKeys returns a copy of the actions, each with a different idempotency key that is derived from the
// operation's key. A provider refuses a key that was used for a different request.
func WithKeys(operationKey string, actions []Action) []Action {
	keyed := make([]Action, len(actions))
	for i, s := range actions {
		s.Key = operationKey + "-" + strconv.Itoa(i+1)
		keyed[i] = s
	}
	return keyed
}

// CheckActions returns NotFound when the MethodID of an action looks like a card number. A user may have typed
// the number into a wrong field, and card numbers must not be stored.
func CheckActions(actions []Action) error {
	for _, s := range actions {
		if isCardNumber(s.MethodID) {
			return fault.New(fault.NotFound, "There is no such card.")
		}
	}
	return nil
}

// isCardNumber reports whether the text has at least as many digits as a card number, and no letters.
func isCardNumber(text string) bool {
	const minDigits = 12
	digits := 0
	for _, r := range text {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case unicode.IsLetter(r):
			return false
		}
	}
	return digits >= minDigits
}

// Done reports whether the account shows that the action is complete: a subscription that it started,
// an invoice that is paid, or a plan change that was made or is pending. false means that the account
// does not show it.
func (s Action) Done(a *Account) bool {
	return slices.ContainsFunc(a.Subscriptions, s.isDoneIn)
}

func (s Action) isDoneIn(sub Subscription) bool {
	switch s.Kind {
	case StartSubscriptionAction:
		return sub.MadeBy == s.Key
	case ChangePlanAction:
		changed := sub.Price == s.Price || sub.Pending != nil && sub.Pending.To == s.Price
		return sub.ChangedBy == s.Key && changed
	case PayInvoiceAction:
		inv := sub.LatestInvoice
		return inv != nil && inv.ID == s.InvoiceID && inv.Status == InvoicePaid
	case SaveCardAction, SetDefaultCardAction, DeleteCardAction, EndUnpaidAction, CancelPendingChangeAction,
		ScheduleChangeAction, CancelScheduledChangeAction, EndAtPeriodEndAction, ResumeAction, EndNowAction, WithdrawOrderAction, UpdateCustomerAction:
	}
	return false
}
