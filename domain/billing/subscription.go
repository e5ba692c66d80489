package billing

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// Status is the status of a subscription; see the package comment.
type Status string

// The statuses, named as in Stripe's API.
const (
	Incomplete        Status = "incomplete"
	IncompleteExpired Status = "incomplete_expired"
	Trialing          Status = "trialing"
	Active            Status = "active"
	PastDue           Status = "past_due"
	Unpaid            Status = "unpaid"
	Canceled          Status = "canceled"
)

// Live reports whether a subscription in this status is a current license.
func (s Status) Live() bool { return slices.Contains([]Status{Trialing, Active, PastDue}, s) }

// Ended reports whether a subscription in this status is over and a past license.
func (s Status) Ended() bool {
	return slices.Contains([]Status{Canceled, Unpaid, IncompleteExpired}, s)
}

// Subscription is a subscription as the payment provider last reported it. It is stored as JSON.
type Subscription struct {
	ID               string
	CustomerID       string             `json:",omitzero"`
	Status           Status             `json:",omitzero"`
	Price            catalogue.PriceRef `json:",omitzero"`
	Amount           money.Amount       `json:",omitzero"` // of one period; a new catalogue does not change it; zero when unknown
	Renewal          money.Amount       `json:",omitzero"` // the total of the next period's invoice, before credit; zero when unknown
	CreatedAt        time.Time          `json:",omitzero"`
	PeriodStart      time.Time          `json:",omitzero"` // of the current period; zero when unknown
	CurrentPeriodEnd time.Time          `json:",omitzero"`
	TrialEnd         time.Time          `json:",omitzero"` // zero when it never had a trial
	EndsAt           time.Time          `json:",omitzero"` // when it ends or has ended; zero when it renews or the time is unknown
	UnpaidEndsAt     time.Time          `json:",omitzero"` // when it ends unless the overdue invoice is paid; zero when unknown or nothing is overdue
	LatestInvoice    *Invoice           `json:",omitzero"` // without its lines; stored without its tax
	PendingSetup     *Intent            `json:",omitzero"` // authentication of the card that a trial will charge; nil when none is needed
	Next             NextAction         `json:",omitzero"`
	Pending          *PendingChange     `json:",omitzero"` // a plan change that is not paid yet; nil when there is none
	Scheduled        *ScheduledChange   `json:",omitzero"` // a plan change at the next renewal; nil when there is none
	Hold             Hold               `json:",omitzero"` // of the customer, see Account.Hold
	Pause            *Pause             `json:",omitzero"` // nil when charges are made as usual
	// Managed reports that an operator has agreed the plan or its schedule with the customer at the provider. Only an
	// operator can change the plan then. The Product of a price outside the catalogue is its display name.
	Managed   bool           `json:",omitzero"`
	Invoicing *Invoicing     `json:",omitzero"` // nil when renewals are charged automatically
	Method    *PaymentMethod `json:",omitzero"` // is charged instead of the customer's default method; nil for the default method
	StartKey  string         `json:",omitzero"` // the key of the action that started it; "" when unknown
	ChangeKey string         `json:",omitzero"` // the key of the last action that changed its plan; "" for none
	// QuoteDifference is set in the response to a request that charged another amount than its quote. It
	// is not stored.
	QuoteDifference *QuoteDifference `json:",omitzero"`
}

// PendingChange is a plan change that takes effect when its invoice is paid. Until then the
// subscription keeps its price, its period and its trial. If it is neither paid nor canceled by
// ExpiresAt, the provider discards the change and its invoice.
type PendingChange struct {
	To        catalogue.PriceRef `json:",omitzero"`
	InvoiceID string             `json:",omitzero"`
	Amount    money.Amount       `json:",omitzero"` // due for the change
	ExpiresAt time.Time          `json:",omitzero"`
	// Replaces is the scheduled change that this change replaces, or nil. It is dropped when this change is made, and
	// scheduled again when this change is discarded.
	Replaces *ScheduledChange `json:",omitzero"`
}

// ScheduledChange is a plan change that the provider makes when the current period or the trial ends.
// A subscription has at most one of a pending change, a scheduled change and an end.
type ScheduledChange struct {
	To     catalogue.PriceRef `json:",omitzero"`
	Amount money.Amount       `json:",omitzero"` // of one period at the new price; zero when unknown
	At     time.Time          `json:",omitzero"` // the end of the current period or trial
	// Lapsed reports that the provider dropped this change because of an immediate change that was then not made. The
	// provider makes a lapsed change only after it is scheduled again. Lapsed is not stored.
	Lapsed bool `json:",omitzero"`
}

// Invoicing states that an operator has arranged that the customer pays invoices, which the provider sends by email.
type Invoicing struct {
	DaysUntilDue int // from the date of an invoice to its due date
}

// HadEndedBy reports whether the subscription has ended at or before t, or at an unknown time.
func (s *Subscription) HadEndedBy(t time.Time) bool { return s.Status.Ended() && !s.EndsAt.After(t) }

// SetScheduledChange sets the scheduled change. While a change is pending, it sets the Replaces of the pending change
// instead.
func (s *Subscription) SetScheduledChange(c *ScheduledChange) {
	if s.Pending == nil {
		s.Scheduled = c
		return
	}
	s.Pending.Replaces = c.withoutLapsed()
}

// withoutLapsed returns a copy without Lapsed, which is not stored, or nil.
func (c *ScheduledChange) withoutLapsed() *ScheduledChange {
	if c == nil {
		return nil
	}
	return &ScheduledChange{To: c.To, Amount: c.Amount, At: c.At}
}

// Pause is a pause of the automatic charges, which an operator has set at the provider. The subscription keeps its
// status and can be ended, but not changed.
type Pause struct {
	Until time.Time `json:",omitzero"` // zero when it has no end yet
}

// includes reports whether the charges are still paused at the given time.
func (p *Pause) includes(at time.Time) bool {
	return p != nil && (p.Until.IsZero() || at.Before(p.Until))
}

// WithoutPaymentSecrets returns a copy for a person who must not pay: without the client secrets and URLs with which a
// payment continues. Everything else stays.
func (s Subscription) WithoutPaymentSecrets() Subscription {
	s.PendingSetup = s.PendingSetup.withoutClientSecret()
	s.Next.Secret, s.Next.URL = "", ""
	if s.LatestInvoice != nil {
		inv := *s.LatestInvoice
		inv.Payment = inv.Payment.withoutClientSecret()
		s.LatestInvoice = &inv
	}
	return s
}

// WithoutSecrets returns a deep copy that can be stored: without client secrets, redirect URLs and the quote
// difference of one response, and with only those fields of the latest invoice that every provider reports.
func (s Subscription) WithoutSecrets() Subscription {
	s.PendingSetup = s.PendingSetup.storedFields()
	s.Next = s.Next.withoutSecrets()
	s.QuoteDifference = nil
	if s.Pending != nil {
		pending := *s.Pending
		pending.Replaces = pending.Replaces.withoutLapsed()
		s.Pending = &pending
	}
	s.Scheduled = s.Scheduled.withoutLapsed()
	if s.Pause != nil {
		pause := *s.Pause
		s.Pause = &pause
	}
	if s.Invoicing != nil {
		invoicing := *s.Invoicing
		s.Invoicing = &invoicing
	}
	if s.Method != nil {
		method := *s.Method
		method.Fingerprint, method.Card.Fingerprint = "", ""
		s.Method = &method
	}
	if s.LatestInvoice != nil {
		inv := s.LatestInvoice
		s.LatestInvoice = &Invoice{
			ID: inv.ID, Status: inv.Status, Total: inv.Total, CreditUsed: inv.CreditUsed, AmountDue: inv.AmountDue,
			AmountPaid: inv.AmountPaid, CreatedAt: inv.CreatedAt, NextAttemptAt: inv.NextAttemptAt,
			Payment: inv.Payment.storedFields(),
		}
	}
	return s
}
