package engine_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/engine"
)

func TestNewInvoiceDraft_DeductsCreditAndCarriesSmallAmounts(t *testing.T) {
	for name, tt := range map[string]struct{ total, credit, due, creditAfter int64 }{
		"no credit":      {1000, 0, 1000, 0},
		"some credit":    {1000, 300, 700, 0},
		"enough credit":  {1000, 1500, 0, 500},
		"negative total": {-1000, 300, 0, 1300},
		"a total below the minimum is carried over":          {49, 0, 0, -49},
		"the minimum is charged":                             {50, 0, 50, 0},
		"less than the minimum after credit is carried over": {1000, 970, 0, -30},
		"an amount carried over is added":                    {1000, -30, 1030, 0},
		"an amount carried over reaches the minimum":         {21, -30, 51, 0},
		"a negative total repays a carried over amount":      {-100, -30, 0, 70},
	} {
		t.Run(name, func(t *testing.T) {
			draft := engine.NewInvoiceDraft([]engine.Line{{Amount: tt.total}}, tt.credit, 50)
			assert.Equal(t, []int64{tt.total, tt.due, tt.credit, tt.creditAfter},
				[]int64{draft.Total, draft.AmountDue, draft.CreditBefore, draft.CreditAfter})
		})
	}
}

func TestWithdraw_IsLimitedToNewCredit(t *testing.T) {
	for name, tt := range map[string]struct{ total, credit, owed, withdrawn, creditAfter int64 }{
		"nothing owed":                      {-1000, 300, 0, 0, 1300},
		"less than the new credit":          {-1000, 300, 400, 400, 900},
		"more than the new credit":          {-1000, 300, 5000, 1000, 300},
		"an amount was carried over":        {-1000, -30, 5000, 970, 0},
		"an invoice that creates no credit": {1000, 1300, 5000, 0, 300},
		"an invoice below the minimum":      {20, 0, 5000, 0, -20},
	} {
		t.Run(name, func(t *testing.T) {
			draft := engine.NewInvoiceDraft([]engine.Line{{Amount: tt.total}}, tt.credit, 50).Withdraw(tt.owed)
			assert.Equal(t, []int64{tt.withdrawn, tt.creditAfter}, []int64{draft.Withdrawn, draft.CreditAfter})
			assert.Equal(t, draft.Total, draft.AmountDue+draft.CreditBefore-draft.CreditAfter-draft.Withdrawn)
		})
	}
}

func TestNewInvoiceDraft_ConservesMoney(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "total")
		credit := rapid.Int64Range(-49, 1<<40).Draw(t, "credit")
		minimum := rapid.SampledFrom([]int64{0, 50}).Draw(t, "minimum")
		draft := engine.NewInvoiceDraft([]engine.Line{{Amount: total}}, credit, minimum)
		assert.Equal(t, total, draft.AmountDue+draft.CreditBefore-draft.CreditAfter)
		assert.True(t, draft.AmountDue == 0 || draft.AmountDue >= minimum && draft.CreditAfter == 0,
			"no charge while credit is left")
		assert.Greater(t, draft.CreditAfter, -max(minimum, 1))
	})
}

func TestMinimumCharge_IsZeroForUndocumentedCurrencies(t *testing.T) {
	for currency, want := range map[string]int64{"AUD": 50, "GBP": 30, "JPY": 50, "KRW": 0} {
		assert.Equal(t, want, engine.MinimumCharge(currency), currency)
	}
}
