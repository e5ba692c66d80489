package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
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

type amountBreakdown struct {
	IsTotalSufficient bool             `json:"isTotalSufficient"`
	Rows              []labelledAmount `json:"rows"`
}

type labelledAmount struct {
	Kind   billing.BreakdownKind `json:"kind"`
	Label  string                `json:"label"`
	Amount int64                 `json:"amount"`
}

func TestAmountBreakdown_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "amount-breakdown", func(amounts invoiceAmounts) amountBreakdown {
		inv := billing.Invoice{
			Status: amounts.Status, Total: aud(amounts.Total), CreditUsed: aud(amounts.CreditUsed), CarriedForward: aud(amounts.CarriedForward),
			AmountDue: aud(amounts.AmountDue), AmountPaid: aud(amounts.AmountPaid),
			Refunded: aud(amounts.Refunded), Credited: aud(amounts.Credited), Returned: aud(amounts.Returned),
		}
		result := amountBreakdown{IsTotalSufficient: inv.IsTotalSufficient(), Rows: []labelledAmount{}}
		for _, row := range inv.AmountBreakdown() {
			result.Rows = append(result.Rows, labelledAmount{row.Kind, row.Label(), row.Amount.Minor()})
		}
		return result
	})
}

func TestAmountBreakdown_OmitsCreditWithoutTotal(t *testing.T) {
	inv := billing.Invoice{Status: billing.InvoiceOpen, AmountDue: aud(81600), AmountPaid: aud(30000)}
	assert.Equal(t,
		[]billing.BreakdownRow{{Kind: billing.RowPaid, Amount: aud(-30000)}, {Kind: billing.RowDue, Amount: aud(51600)}},
		inv.AmountBreakdown())
	assert.Empty(t, billing.Invoice{}.AmountBreakdown())
}

func TestAmountRemaining_IsZeroAfterPaymentOrVoid(t *testing.T) {
	assert.Equal(t, aud(2900), billing.Invoice{AmountDue: aud(3900), AmountPaid: aud(1000)}.AmountRemaining())
	assert.Equal(t, aud(3900), billing.Invoice{AmountDue: aud(3900)}.AmountRemaining())
	assert.Equal(t, aud(0), billing.Invoice{Status: billing.InvoicePaid, AmountDue: aud(3900)}.AmountRemaining(),
		"paid outside of the provider")
	assert.Equal(t, aud(0), billing.Invoice{Status: billing.InvoiceVoid, AmountDue: aud(3900)}.AmountRemaining())
	assert.Equal(t, money.Amount{}, billing.Invoice{}.AmountRemaining())
}
