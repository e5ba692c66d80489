package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/billing/billingtest"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/money"
)

type invoiceAmounts struct {
	Status         billing.InvoiceStatus `json:"status"`
	Total          int64                 `json:"total"`
	CreditUsed     int64                 `json:"creditUsed"`
	CarriedForward int64                 `json:"carriedForward"`
	AmountDue      int64                 `json:"amountDue"`
	AmountPaid     int64                 `json:"amountPaid"`
	Refunded       int64                 `json:"refunded"`
	Credited       int64                 `json:"credited"`
	Returned       int64                 `json:"returned"`
}

type settlement struct {
	IsTotalSufficient bool             `json:"isTotalSufficient"`
	Movements         []labelledAmount `json:"movements"`
}

type labelledAmount struct {
	Kind   billing.MovementKind `json:"kind"`
	Label  string               `json:"label"`
	Amount int64                `json:"amount"`
}

func TestMovements_MatchTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "movements", func(amounts invoiceAmounts) settlement {
		inv := billing.Invoice{
			Status: amounts.Status, Total: aud(amounts.Total), CreditUsed: aud(amounts.CreditUsed), CarriedForward: aud(amounts.CarriedForward),
			AmountDue: aud(amounts.AmountDue), AmountPaid: aud(amounts.AmountPaid),
			Refunded: aud(amounts.Refunded), Credited: aud(amounts.Credited), Returned: aud(amounts.Returned),
		}
		result := settlement{IsTotalSufficient: inv.IsTotalSufficient(), Movements: []labelledAmount{}}
		for _, m := range inv.Movements() {
			result.Movements = append(result.Movements, labelledAmount{m.Kind, m.Label(), m.Amount.Minor()})
		}
		return result
	})
}

func TestMovements_OmitCreditWithoutTotal(t *testing.T) {
	inv := billing.Invoice{Status: billing.InvoiceOpen, AmountDue: aud(81600), AmountPaid: aud(30000)}
	assert.Equal(t, []billing.Movement{{Kind: billing.MovementPayment, Amount: aud(-30000)}}, inv.Movements())
	assert.Empty(t, billing.Invoice{}.Movements())
}

func at(day int) time.Time { return time.Date(2026, 12, day, 0, 0, 0, 0, time.UTC) }

func TestMovements_HaveDateMethodAndSign(t *testing.T) {
	for _, c := range billingtest.LoadPaymentRows(t) {
		t.Run(c.Name, func(t *testing.T) {
			var rows []billingtest.PaymentRow
			for _, m := range c.Invoice.Movements() {
				row := billingtest.PaymentRow{Kind: m.Kind, Label: m.Label(), Amount: m.Amount.Minor(), CreditNote: m.CreditNote}
				if !m.At.IsZero() {
					row.At = &m.At
				}
				if m.Method != nil {
					row.Method = m.Method.DisplayName()
				}
				rows = append(rows, row)
			}
			assert.Equal(t, c.Rows, rows)
			assert.Equal(t, c.Remaining, c.Invoice.AmountRemaining().Minor())
		})
	}
}

// The known payments and returns can be incomplete, because some providers report sums only.
func TestMovements_AddUpToTheAmountRemaining(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inv := drawInvoice(t)
		sum := inv.Total.Minor()
		for _, m := range inv.Movements() {
			assert.NotZero(t, m.Amount.Minor())
			assert.NotEmpty(t, m.Label())
			sum += m.Amount.Minor()
		}
		assert.Equal(t, inv.AmountRemaining().Minor(), sum, "%+v", inv)
	})
}

// drawInvoice returns an invoice with consistent amounts, and known or unknown payments and returns.
func drawInvoice(t *rapid.T) billing.Invoice {
	amount := func(name string, limit int64) money.Amount {
		return aud(rapid.Int64Range(0, max(0, limit)).Draw(t, name))
	}
	day := rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.Bool().Draw(t, "isUnknown") {
			return time.Time{}
		}
		return at(rapid.IntRange(1, 28).Draw(t, "day"))
	})
	inv := billing.Invoice{
		Status: rapid.SampledFrom([]billing.InvoiceStatus{
			billing.InvoiceDraft, billing.InvoiceOpen, billing.InvoicePaid, billing.InvoiceVoid, billing.InvoiceUncollectible,
		}).Draw(t, "status"),
		Total: aud(rapid.Int64Range(-10000, 100000).Draw(t, "total")), CreatedAt: at(1), PaidAt: day.Draw(t, "paidAt"),
	}
	due := max(0, inv.Total.Minor())
	inv.CreditUsed = aud(inv.Total.Minor() - due + amount("credit", due).Minor())
	due = inv.Total.Minor() - inv.CreditUsed.Minor()
	inv.AmountDue = aud(due - amount("credit note", due).Minor())
	inv.AmountPaid, inv.Returned = amount("paid", inv.AmountDue.Minor()), amount("returned", inv.AmountDue.Minor())
	if inv.Status == billing.InvoicePaid {
		inv.AmountPaid = inv.AmountDue
	}
	inv.Refunded = amount("refunded", inv.AmountPaid.Minor())
	inv.Credited = amount("credited", inv.AmountPaid.Minor()-inv.Refunded.Minor())
	knownSum := amount("known payments", inv.AmountPaid.Minor()+inv.Returned.Minor()+100).Minor()
	if knownSum > 0 {
		inv.ReceivedPayments = []billing.ReceivedPayment{{Amount: aud(knownSum), Excess: amount("excess", 500), At: day.Draw(t, "received")}}
	}
	for kind, sum := range map[billing.ReturnKind]money.Amount{
		billing.ReturnByBank: inv.Returned, billing.ReturnRefund: inv.Refunded, billing.ReturnAsCredit: inv.Credited,
		billing.ReturnByDispute: inv.AmountPaid,
	} {
		if known := amount(string(kind), sum.Minor()); known.Minor() > 0 {
			inv.Returns = append(inv.Returns, billing.Return{
				Kind: kind, Amount: known, At: day.Draw(t, "at"), DecidedAt: day.Draw(t, "decidedAt"),
				Dispute: rapid.SampledFrom([]billing.DisputeStatus{billing.DisputeOpen, billing.DisputeWon, billing.DisputeLost}).Draw(t, "dispute"),
			})
		}
	}
	return inv
}

func TestAmountRemaining_IsZeroAfterPaymentOrVoid(t *testing.T) {
	assert.Equal(t, aud(2900), billing.Invoice{AmountDue: aud(3900), AmountPaid: aud(1000)}.AmountRemaining())
	assert.Equal(t, aud(3900), billing.Invoice{AmountDue: aud(3900)}.AmountRemaining())
	assert.Equal(t, aud(0), billing.Invoice{Status: billing.InvoicePaid, AmountDue: aud(3900)}.AmountRemaining(),
		"paid outside of the provider")
	assert.Equal(t, aud(0), billing.Invoice{Status: billing.InvoiceVoid, AmountDue: aud(3900)}.AmountRemaining())
	assert.Equal(t, money.Amount{}, billing.Invoice{}.AmountRemaining())
}
