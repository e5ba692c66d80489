package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/money"
)

func TestQuoteStart_UsesCreditForFirstCharge(t *testing.T) {
	purchase := engine.StartSubscription(monthly, 3900, 0, start).QuoteStart(1000, 50)
	assert.Equal(t, []int64{3900, 2900, 0, 3900},
		[]int64{purchase.Total, purchase.DueNow, purchase.CreditAfter, purchase.NextAmount})
	assert.Equal(t, start.AddDate(0, 1, 0), purchase.NextAt)

	trial := engine.StartSubscription(monthly, 3900, 7*day, start).QuoteStart(1000, 50)
	assert.Equal(t, []int64{0, 0, 1000, 2900}, []int64{trial.Total, trial.DueNow, trial.CreditAfter, trial.NextAmount})
	assert.Equal(t, start.Add(7*day), trial.NextAt)
}

func TestQuoteChange_EndsTrial(t *testing.T) {
	s := engine.StartSubscription(monthly, 3900, 7*day, start)
	change := engine.PriceChange{Price: yearly, Amount: 42000, At: start.Add(day), EndTrial: true}
	q := s.QuoteChange(change, s.ChangeLines(change), 0, 0, 50)
	assert.True(t, q.EndsTrial)
	assert.EqualValues(t, 42000, q.DueNow)
	assert.Equal(t, start.Add(day).AddDate(1, 0, 0), q.NextAt)
}

func TestQuoteSchedule_UsesCreditAtRenewal(t *testing.T) {
	q := activeSubscription().QuoteSchedule(engine.PriceChange{Price: yearly, Amount: 42000}, 1000, 50)
	assert.Equal(t, []int64{42000, 0, 1000, 1000, 41000},
		[]int64{q.Total, q.DueNow, q.CreditBefore, q.CreditAfter, q.NextAmount})
	assert.Equal(t, activeSubscription().PeriodEnd, q.At)
	assert.Equal(t, q.At, q.NextAt)
}

// TestQuote_EqualsFollowingInvoices draws subscriptions with any credit that start and change at any second, including
// the ends of months and leap days. It compares each quote with the invoices that follow.
func TestQuote_EqualsFollowingInvoices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		startAt := time.Date(2027, 12, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 800).Draw(t, "day")).
			Add(time.Duration(rapid.IntRange(0, 86399).Draw(t, "second")) * time.Second)
		credit := rapid.Int64Range(-49, 200000).Draw(t, "credit")
		s := engine.StartSubscription(drawPrice(t), drawAmount(t), 0, startAt).PaymentSucceeded("in_1", startAt)
		for range rapid.IntRange(0, 14).Draw(t, "renewals") {
			s = s.Renew()
		}
		periodSeconds := int64(s.PeriodEnd.Sub(s.PeriodStart) / time.Second)
		change := engine.PriceChange{
			Price: drawPrice(t), Amount: drawAmount(t),
			At: s.PeriodStart.Add(time.Duration(rapid.Int64Range(0, periodSeconds).Draw(t, "at")) * time.Second),
		}

		quoteNow := s.QuoteChange(change, s.ChangeLines(change), credit, 0, 50)
		draft := engine.NewInvoiceDraft(s.ChangeLines(change), credit, 50)
		renewal := engine.NewInvoiceDraft(s.ApplyChange(change).Renew().PeriodLines(), draft.CreditAfter, 50)
		quotedDraft := engine.InvoiceDraft{
			Lines: quoteNow.Lines, Total: quoteNow.Total, AmountDue: quoteNow.DueNow,
			CreditBefore: quoteNow.CreditBefore, CreditAfter: quoteNow.CreditAfter,
		}
		assert.Equal(t, draft, quotedDraft)
		assert.Equal(t, renewal.AmountDue, quoteNow.NextAmount)
		assert.Equal(t, s.ApplyChange(change).PeriodEnd, quoteNow.NextAt)
		assert.LessOrEqual(t, draft.CreditAfter, max(credit, 0)+s.Amount, "credit is at most the price of the period")

		quoteAtRenewal := s.QuoteSchedule(change, credit, 50)
		renewedSub := s.ScheduleChange(change).Renew()
		assert.Equal(t, renewedSub.PeriodLines(), quoteAtRenewal.Lines)
		assert.Equal(t, engine.NewInvoiceDraft(renewedSub.PeriodLines(), credit, 50).AmountDue, quoteAtRenewal.NextAmount)
		assert.Equal(t, renewedSub.PeriodStart, quoteAtRenewal.NextAt)
	})
}

// The renewals are made one after the other until one of them is charged.
func TestQuote_FirstChargeAfterCreditEqualsTheChargeOfLaterRenewals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ref := rapid.SampledFrom([]catalogue.PriceRef{monthly, yearly}).Draw(t, "price")
		startedAt := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 700).Draw(t, "day"))
		credit := rapid.Int64Range(-100, 500_000).Draw(t, "credit")
		s := engine.StartSubscription(ref, 3900, 0, startedAt)
		for range rapid.IntRange(0, 3).Draw(t, "periods") {
			s = s.Renew()
		}
		renewals := billing.Renewals{
			Price: mustAUD(t, 3900), Interval: ref.Interval, At: s.PeriodEnd, PeriodStart: s.PeriodStart,
		}

		charge := renewals.FirstCharge(mustAUD(t, credit), 50)

		if ref == yearly && credit >= 99*3900 {
			return // the charge can be more than a hundred years away
		}
		draft := engine.InvoiceDraft{CreditAfter: credit}
		for draft.AmountDue == 0 {
			s = s.Renew()
			draft = engine.NewInvoiceDraft(s.PeriodLines(), draft.CreditAfter, 50)
		}
		assert.Equal(t, &billing.Charge{Amount: mustAUD(t, draft.AmountDue), At: s.PeriodStart}, charge)
	})
}

func mustAUD(t *rapid.T, minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	require.NoError(t, err)
	return amount
}

func drawAmount(t *rapid.T) int64 {
	return rapid.SampledFrom([]int64{0, 20, 3900, 7600, 42000, 81600}).Draw(t, "amount")
}

func TestQuoteWithCredit_ReducesNextCharges(t *testing.T) {
	aud := func(minor int64) money.Amount {
		amount, err := money.New(minor, "AUD")
		require.NoError(t, err)
		return amount
	}
	for name, tt := range map[string]struct{ total, creditBefore, extraCredit, due, creditAfter, next int64 }{
		"less than the price":   {3900, 500, 1000, 2400, 0, 3900},
		"more than the price":   {3900, 0, 5000, 0, 1100, 2800},
		"price less 20 cents":   {3900, 0, 3880, 0, -20, 3920},
		"a trial costs nothing": {0, 0, 1000, 0, 1000, 2900},
	} {
		t.Run(name, func(t *testing.T) {
			original := billing.Quote{Total: aud(tt.total), CreditBefore: aud(tt.creditBefore),
				Next: billing.Charge{At: time.Unix(1, 0)}}
			q, err := engine.QuoteWithCredit(original, tt.extraCredit, aud(3900), 50)
			require.NoError(t, err)
			assert.Equal(t, aud(tt.due), q.DueNow)
			assert.Equal(t, aud(tt.creditBefore+tt.extraCredit), q.CreditBefore)
			assert.Equal(t, aud(tt.creditAfter), q.CreditAfter)
			assert.Equal(t, aud(tt.next), q.Next.Amount)
		})
	}
	q, err := engine.QuoteWithCredit(billing.Quote{Total: aud(3900), CreditBefore: aud(0)}, 1000, aud(3900), 50)
	require.NoError(t, err)
	assert.Zero(t, q.Next, "the next charge stays unknown")
}
