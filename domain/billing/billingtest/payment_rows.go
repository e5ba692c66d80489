// Package billingtest loads the vectors in testdata/vectors about invoices. It is for tests only.
package billingtest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/money"
)

// PaymentRows is a case of the vectors payment-rows: how an invoice lists the movements of money.
type PaymentRows struct {
	Name    string
	Invoice billing.Invoice
	// Movements is the JSON of the movements in the API.
	Movements json.RawMessage
	Rows      []PaymentRow
	Remaining int64 // in minor units
}

// PaymentRow is a row of the payments of an invoice. The method and the number of the credit note may be "".
type PaymentRow struct {
	Kind       billing.MovementKind `json:"kind"`
	Label      string               `json:"label"`
	At         *time.Time           `json:"at"` // nil when unknown
	Method     string               `json:"method"`
	CreditNote string               `json:"creditNote"`
	Amount     int64                `json:"amount"` // in minor units
}

// LoadPaymentRows reads the vectors payment-rows. All amounts are in AUD.
func LoadPaymentRows(t testing.TB) []PaymentRows {
	t.Helper()
	var cases []PaymentRows
	for _, c := range domaintest.LoadVectors[domaintest.Case[invoiceFacts, paymentRowsWant]](t, "payment-rows") {
		cases = append(cases, PaymentRows{c.Name, c.In.invoice(t), c.Want.Movements, c.Want.Rows, c.Want.Remaining})
	}
	return cases
}

type paymentRowsWant struct {
	Movements json.RawMessage `json:"movements"`
	Rows      []PaymentRow    `json:"rows"`
	Remaining int64           `json:"remaining"`
}

// invoiceFacts contains what a provider reports about an invoice and its payments.
type invoiceFacts struct {
	Status         billing.InvoiceStatus `json:"status"`
	CreatedAt      time.Time             `json:"createdAt"`
	PaidAt         time.Time             `json:"paidAt"`
	Total          int64                 `json:"total"`
	CreditUsed     int64                 `json:"creditUsed"`
	CarriedForward int64                 `json:"carriedForward"`
	AmountDue      int64                 `json:"amountDue"`
	AmountPaid     int64                 `json:"amountPaid"`
	Refunded       int64                 `json:"refunded"`
	Credited       int64                 `json:"credited"`
	Returned       int64                 `json:"returned"`
	Received       []struct {
		Amount int64       `json:"amount"`
		Excess int64       `json:"excess"`
		At     time.Time   `json:"at"`
		Method *paidMethod `json:"method"`
	} `json:"received"`
	Returns []struct {
		Kind       billing.ReturnKind    `json:"kind"`
		Amount     int64                 `json:"amount"`
		At         time.Time             `json:"at"`
		Method     *paidMethod           `json:"method"`
		Dispute    billing.DisputeStatus `json:"dispute"`
		DecidedAt  time.Time             `json:"decidedAt"`
		CreditNote string                `json:"creditNote"`
	} `json:"returns"`
}

// paidMethod is a payment method as in the API.
type paidMethod struct {
	Kind  billing.MethodKind `json:"kind"`
	Label string             `json:"label"`
	Card  struct {
		Brand    string `json:"brand"`
		Last4    string `json:"last4"`
		ExpMonth int    `json:"exp_month"`
		ExpYear  int    `json:"exp_year"`
	} `json:"card"`
}

func (m *paidMethod) method() *billing.PaymentMethod {
	if m == nil {
		return nil
	}
	card := billing.Card{Brand: m.Card.Brand, Last4: m.Card.Last4, ExpMonth: m.Card.ExpMonth, ExpYear: m.Card.ExpYear}
	return &billing.PaymentMethod{Kind: m.Kind, Label: m.Label, Card: card}
}

func (f invoiceFacts) invoice(t testing.TB) billing.Invoice {
	t.Helper()
	aud := func(minor int64) money.Amount {
		amount, err := money.New(minor, "AUD")
		if err != nil {
			t.Fatal(err)
		}
		return amount
	}
	inv := billing.Invoice{
		Status: f.Status, CreatedAt: f.CreatedAt, PaidAt: f.PaidAt, Total: aud(f.Total), CreditUsed: aud(f.CreditUsed),
		CarriedForward: aud(f.CarriedForward), AmountDue: aud(f.AmountDue), AmountPaid: aud(f.AmountPaid),
		Refunded: aud(f.Refunded), Credited: aud(f.Credited), Returned: aud(f.Returned),
	}
	for _, p := range f.Received {
		inv.ReceivedPayments = append(inv.ReceivedPayments, billing.ReceivedPayment{
			Amount: aud(p.Amount), Excess: aud(p.Excess), At: p.At, Method: p.Method.method(),
		})
	}
	for _, r := range f.Returns {
		inv.Returns = append(inv.Returns, billing.Return{
			Kind: r.Kind, Amount: aud(r.Amount), At: r.At, Method: r.Method.method(), Dispute: r.Dispute, DecidedAt: r.DecidedAt,
			CreditNote: r.CreditNote,
		})
	}
	return inv
}
