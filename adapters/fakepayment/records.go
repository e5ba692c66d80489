package fakepayment

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/testcards"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/payment"
)

// Records are stored in memory and, as JSON, on disk. They are values, so a changed record must replace the stored one.
// Times are in whole seconds, amounts in minor units.
type (
	// CustomerRecord is a stored customer.
	CustomerRecord = customer
	// CardRecord is a stored card.
	CardRecord = card
	// SubscriptionRecord is a stored subscription.
	SubscriptionRecord = subscription
	// InvoiceRecord is a stored invoice.
	InvoiceRecord = invoice
	// IntentRecord is a stored payment, or the authentication of a card.
	IntentRecord = intent
)

type customer struct {
	ID                string       `json:"id"`
	OrganisationID    string       `json:"organisation"`
	PreferredCurrency string       `json:"preferred,omitempty"`
	Currency          string       `json:"currency,omitempty"` // set by the first subscription
	DefaultCardID     string       `json:"default,omitempty"`  // id of the card that is charged
	CardIDs           []string     `json:"cards,omitempty"`    // ids, newest first
	SubscriptionIDs   []string     `json:"subscriptions,omitempty"`
	Credit            int64        `json:"credit,omitempty"`      // deducted from the next invoices; negative when owed
	HeldCredit        int64        `json:"held_credit,omitempty"` // not used while the customer is on hold
	Hold              billing.Hold `json:"hold,omitempty"`
	InvoiceCount      int          `json:"invoices,omitempty"` // count; it determines the next invoice number
	Buyer             buyer        `json:"buyer,omitzero"`

	Created time.Time `json:"created,omitzero"`
	Deleted bool      `json:"deleted,omitempty"` // a deleted record has no other field but ID
}

// card is a payment method: a card, or a bank account.
type card struct {
	ID            string              `json:"id"`
	CustomerID    string              `json:"customer,omitempty"` // "" until it is saved
	Card          billing.Card        `json:"card"`               // zero for a bank account
	AccountLast4  string              `json:"account,omitempty"`  // the last four digits of a bank account; "" for a card
	Behaviour     testcards.Behaviour `json:"behaviour"`
	Authenticated bool                `json:"authenticated,omitempty"` // no further authentication is needed
	Charged       bool                `json:"charged,omitempty"`       // a payment has succeeded; set only if Behaviour is SucceedsOnce
	Created       time.Time           `json:"created,omitzero"`
}

type subscription struct {
	ID         string `json:"id"`
	CustomerID string `json:"customer"`
	engine.Subscription
	LatestInvoiceID string `json:"invoice"`              // id of the latest invoice
	SetupID         string `json:"setup,omitempty"`      // id of the open authentication of a trial
	StartKey        string `json:"start_key,omitempty"`  // of the request that started it
	ChangeKey       string `json:"change_key,omitempty"` // of the latest plan change

	CanceledAt time.Time `json:"canceled_at,omitzero"` // when its end was requested
	EndedAt    time.Time `json:"ended_at,omitzero"`
	// EndedUnpaid is set if the subscription was canceled because its last retry failed.
	EndedUnpaid bool `json:"ended_unpaid,omitempty"`
}

type invoiceStatus string

const (
	invoiceOpen invoiceStatus = "open"
	invoicePaid invoiceStatus = "paid"
	invoiceVoid invoiceStatus = "void"
)

type invoice struct {
	ID             string                 `json:"id"`
	Number         string                 `json:"number"` // for the customer
	CustomerID     string                 `json:"customer"`
	SubscriptionID string                 `json:"subscription"`
	Status         invoiceStatus          `json:"status"`
	Lines          []engine.Line          `json:"lines"`
	IsPlanChange   bool                   `json:"change,omitempty"`        // it is for a plan change
	AmountDue      int64                  `json:"amount"`                  // due, after credit
	Credit         int64                  `json:"credit,omitempty"`        // the customer's credit that was used; negative when it was increased
	CreditBefore   int64                  `json:"credit_before,omitempty"` // when the invoice was created
	Tax            int64                  `json:"tax,omitempty"`           // included in the lines
	Currency       string                 `json:"currency"`
	PaymentID      string                 `json:"payment,omitempty"`  // id of the intent; "" when nothing is due
	PreviousID     string                 `json:"previous,omitempty"` // id of the subscription's previous invoice
	Created        time.Time              `json:"created,omitzero"`
	PaidAt         time.Time              `json:"paid_at,omitzero"`
	AttemptCount   int                    `json:"attempts,omitempty"`     // the first attempt and the automatic retries
	PaidWith       card                   `json:"paid_with,omitzero"`     // zero when nothing was due
	PaidOutside    bool                   `json:"paid_outside,omitempty"` // an operator has recorded a payment outside of the provider
	Refunded       int64                  `json:"refunded,omitempty"`
	Returned       int64                  `json:"returned,omitempty"` // by the customer's bank, so that it is owed again
	Returns        engine.Returns         `json:"returns,omitempty"`
	CreditNotes    int                    `json:"credit_notes,omitempty"`    // the number of credit notes that were issued
	BankReturned   []returnedPayment      `json:"bank_returned,omitempty"`   // the payments of Returned, oldest first
	Disputed       bool                   `json:"disputed,omitempty"`        // also after the dispute has ended
	DisputeOutcome billing.DisputeStatus  `json:"dispute_outcome,omitempty"` // DisputeWon or DisputeLost
	DisputesWon    int                    `json:"disputes_won,omitempty"`    // number of earlier disputes, all of them won
	DisputedAt     []time.Time            `json:"disputed_at,omitempty"`     // when the disputes in DisputeIDs were opened
	Refund         engine.ReturnedPayment `json:"refund,omitzero"`           // the withdrawal of Refunded from the credit
	Dispute        engine.ReturnedPayment `json:"dispute,omitzero"`          // the withdrawal of the disputed amount
	Deductions     []engine.Deduction     `json:"deductions,omitempty"`      // applied and removed when the invoice is paid
	Buyer          buyer                  `json:"buyer,omitzero"`            // when the invoice was created
	TimeZone       timezone.Zone          `json:"time_zone,omitempty"`       // of the dates
}

// returnedPayment is a payment of an invoice that the customer's bank has taken back.
type returnedPayment struct {
	Amount int64     `json:"amount"`
	PaidAt time.Time `json:"paid_at"`
	Method card      `json:"method"`
}

// buyer contains the customer's name and billing details as they appear on invoices.
type buyer struct {
	Name    string                 `json:"name,omitempty"` // the customer's
	Details account.BillingDetails `json:"details,omitzero"`
}

// total returns the sum of the lines, before credit.
func (i invoice) total() int64 { return i.AmountDue + i.Credit }

// creditUsed returns the part of the total that the customer's credit has paid. It is 0 for a void invoice, because voiding
// gives the credit back.
func (i invoice) creditUsed() int64 {
	if i.Status == invoiceVoid {
		return 0
	}
	return i.Credit - i.carriedForward()
}

// carriedForward returns the part of the total that is due with the next invoice, because it was too small to be charged.
func (i invoice) carriedForward() int64 {
	if i.Status == invoiceVoid || i.AmountDue > 0 {
		return 0
	}
	return engine.CarriedForward(i.CreditBefore, i.CreditBefore-i.Credit)
}

// amountPaid returns the amount that was charged successfully.
func (i invoice) amountPaid() int64 {
	if i.Status != invoicePaid {
		return 0
	}
	return i.AmountDue
}

// amountReturned returns the amount that the customer's bank has taken back and that is owed again, or the zero Amount.
func (i invoice) amountReturned() money.Amount {
	if i.Returned == 0 {
		return money.Amount{}
	}
	return amountOf(i.Returned, i.Currency)
}

// amountDisputed returns the part of the paid amount that a dispute has returned.
func (i invoice) amountDisputed() int64 {
	if i.Disputed && i.DisputeOutcome != billing.DisputeWon {
		return i.amountPaid() - i.Refunded
	}
	return 0
}

// disputeStatus returns the status of the invoice's dispute.
func (i invoice) disputeStatus() billing.DisputeStatus {
	if !i.Disputed {
		return billing.NoDispute
	}
	return cmp.Or(i.DisputeOutcome, billing.DisputeOpen)
}

// DisputeIDs returns the ids of the disputes of the payment, newest first.
func (i InvoiceRecord) DisputeIDs() (ids []string) {
	if !i.Disputed {
		return nil
	}
	for n := i.DisputesWon; n > 0; n-- {
		ids = append(ids, fmt.Sprintf("%s%s_%d", disputePrefix, strings.TrimPrefix(i.ID, invoicePrefix), n+1))
	}
	return append(ids, disputePrefix+strings.TrimPrefix(i.ID, invoicePrefix))
}

type intentKind string

const (
	kindPayment intentKind = "payment"
	kindSetup   intentKind = "setup"
)

type intent struct {
	ID             string               `json:"id"`
	Kind           intentKind           `json:"kind"`
	Status         billing.IntentStatus `json:"status"`
	Secret         string               `json:"secret"`
	CustomerID     string               `json:"customer"`
	SubscriptionID string               `json:"subscription"`
	InvoiceID      string               `json:"invoice,omitempty"`
	Amount         int64                `json:"amount,omitempty"`
	Currency       string               `json:"currency,omitempty"`
	CardID         string               `json:"card,omitempty"`       // id of the card of the last attempt
	LastError      *CardError           `json:"last_error,omitempty"` // why the last attempt failed
	FailedAt       time.Time            `json:"failed_at,omitzero"`   // when the last attempt failed, if LastError is set
	AcceptedAt     time.Time            `json:"accepted_at,omitzero"` // of the last attempt; zero if the payment does not take days
	SettlesAt      time.Time            `json:"settles_at,omitzero"`  // when a processing payment arrives or fails; else zero
	Debited        card                 `json:"debited,omitzero"`     // the charged method if AcceptedAt is set; the customer can delete it meanwhile
	Created        time.Time            `json:"created,omitzero"`
}

// event is an event that has not been delivered yet.
type event struct {
	ID      string          `json:"id"`
	Number  int64           `json:"number"` // increases by one
	Payload json.RawMessage `json:"payload"`
}

// response is the stored response to a request with an idempotency key.
type response struct {
	Key string `json:"key"`
	payment.Response
	Created time.Time `json:"created"`
}

func (c customer) key() string     { return c.ID }
func (cd card) key() string        { return cd.ID }
func (s subscription) key() string { return s.ID }
func (i invoice) key() string      { return i.ID }
func (i intent) key() string       { return i.ID }
func (e event) key() string        { return e.ID }
func (r response) key() string     { return r.Key }

// Prefixes of ids, as at Stripe.
const (
	customerPrefix     = "cus_"
	cardPrefix         = "pm_"
	subscriptionPrefix = "sub_"
	invoicePrefix      = "in_"
	paymentPrefix      = "pi_"
	setupPrefix        = "seti_"
	eventPrefix        = "evt_"
	disputePrefix      = "dp_"

	secretInfix = "_secret_"
)

// newID returns a new unguessable id.
func newID(prefix string) string { return prefix + rand.Text() }
