package former

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
)

// customer is stored as JSON.
type customer struct {
	ID           string                 `json:"id"`
	Organisation string                 `json:"organisation"`
	Name         string                 `json:"name"`
	Email        string                 `json:"email"`
	Details      account.BillingDetails `json:"details,omitzero"`
	Preferred    string                 `json:"preferred,omitempty"` // currency
	Currency     string                 `json:"currency,omitempty"`
	Credit       int64                  `json:"credit,omitempty"` // minor units
	Created      time.Time              `json:"created"`
	Deleted      bool                   `json:"deleted,omitempty"` // its personal data was removed
}

// subscription is stored as JSON.
type subscription struct {
	engine.Subscription
	ID        string    `json:"id"`
	Position  int64     `json:"-"`
	MadeBy    string    `json:"made_by"`
	ChangedBy string    `json:"changed_by,omitempty"`
	Invoice   string    `json:"invoice,omitempty"`    // the latest one
	Prepaid   string    `json:"prepaid,omitempty"`    // during a trial: the invoice for the period after it
	TrialDays int       `json:"trial_days,omitempty"` // while it waits for an approval
	EndedAt   time.Time `json:"ended_at,omitzero"`
}

// invoice is stored as JSON. Amounts are in minor units.
type invoice struct {
	ID           string                `json:"id"`
	Number       int64                 `json:"-"` // 0 until it is stored
	Subscription string                `json:"subscription"`
	RenewalOf    *int64                `json:"-"`
	Status       billing.InvoiceStatus `json:"status"`
	Currency     string                `json:"currency"`
	Lines        []engine.Line         `json:"lines"`
	Total        int64                 `json:"total"`
	Due          int64                 `json:"due"`         // total less credit
	Credit       int64                 `json:"credit_used"` // deducted from the total
	Paid         int64                 `json:"paid"`
	Refunded     int64                 `json:"refunded,omitempty"`
	Refund       engine.Returned       `json:"refund,omitzero"`    // the settlement of refunds, except for those of earlier versions
	Credited     int64                 `json:"credited,omitempty"` // of what was paid: has become credit, because its period was not used
	Returned     int64                 `json:"returned,omitempty"` // all that has become credit; at least Credited
	Tax          int64                 `json:"tax,omitempty"`      // the part of the total
	TaxName      string                `json:"tax_name,omitempty"` // "GST 10 %"
	Buyer        buyer                 `json:"buyer"`
	Created      time.Time             `json:"created"`
	DueAt        time.Time             `json:"due_at"`
	PaidAt       time.Time             `json:"paid_at,omitzero"`
	TimeZone     timezone.Zone         `json:"time_zone,omitempty"` // of the dates; "" in records of earlier versions
}

// buyer is the customer as of when an invoice was issued.
type buyer struct {
	Name    string                 `json:"name"`
	Details account.BillingDetails `json:"details,omitzero"`
}

// zone returns the time zone of the dates of the invoice.
func (i invoice) zone() timezone.Zone { return cmp.Or(i.TimeZone, i.Buyer.Details.Address.TimeZone()) }

func (i invoice) balance() int64 { return i.Due - i.Paid }

// credited returns what has become the customer's credit: a part of what was paid or of the credit that was
// used. Records of earlier versions have only the former.
func (i invoice) credited() int64 { return max(i.Credited, i.Returned) }

// refundable returns the part of what was paid that was neither refunded nor has become credit.
func (i invoice) refundable() int64 { return max(0, i.Paid-i.Refunded-i.Credited) }

// The prefixes of ids.
const (
	customerPrefix     = "icus_"
	subscriptionPrefix = "isub_"
	invoicePrefix      = "inv_"
)

func newID(prefix string) string { return prefix + rand.Text() }

// amountOf returns an amount in a currency of the catalogue.
func amountOf(minor int64, currency string) money.Amount {
	if currency == "" {
		return money.Amount{}
	}
	amount, err := money.New(minor, currency)
	if err != nil {
		panic(fmt.Sprintf("invoicepayment: %v", err)) // it was read from the catalogue
	}
	return amount
}
