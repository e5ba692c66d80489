package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

func TestFirstCharge_FollowsTheRenewalsThatCreditPays(t *testing.T) {
	date := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 10, 0, 0, 0, time.UTC)
	}
	gbp := func(minor int64) money.Amount {
		amount, err := money.New(minor, "GBP")
		assert.NoError(t, err)
		return amount
	}
	const minimum = 30
	for name, tt := range map[string]struct {
		price       int64
		interval    catalogue.Interval
		at, started time.Time
		credit      int64
		want        int64 // 0 for no charge
		wantAt      time.Time
	}{
		// 12 months of £22 are £264: £11.76 pay part of the thirteenth month.
		"twelve months and a part": {2200, catalogue.Monthly, date(2026, 10, 20), time.Time{}, 27576, 1024, date(2027, 10, 20)},
		"exactly two months":       {2200, catalogue.Monthly, date(2026, 10, 20), time.Time{}, 4400, 2200, date(2026, 12, 20)},
		"part of the next month":   {2200, catalogue.Monthly, date(2026, 10, 20), time.Time{}, 1100, 1100, date(2026, 10, 20)},
		"no credit":                {2200, catalogue.Monthly, date(2026, 10, 20), time.Time{}, 0, 2200, date(2026, 10, 20)},
		"a debt is added":          {2200, catalogue.Monthly, date(2026, 10, 20), time.Time{}, -20, 2220, date(2026, 10, 20)},
		// 29 pence are not charged on 20 October; they are added to the charge of the next month.
		"a rest below the minimum":     {2200, catalogue.Monthly, date(2026, 10, 20), time.Time{}, 2171, 2229, date(2026, 11, 20)},
		"a rest of the minimum":        {2200, catalogue.Monthly, date(2026, 10, 20), time.Time{}, 2170, 30, date(2026, 10, 20)},
		"two years":                    {24000, catalogue.Yearly, date(2027, 3, 5), time.Time{}, 50000, 22000, date(2029, 3, 5)},
		"from 31 January":              {2200, catalogue.Monthly, date(2026, 2, 28), date(2026, 1, 31), 4400, 2200, date(2026, 4, 30)},
		"back to the 31st":             {2200, catalogue.Monthly, date(2026, 2, 28), date(2026, 1, 31), 2200, 2200, date(2026, 3, 31)},
		"after a trial until the 28th": {2200, catalogue.Monthly, date(2026, 2, 28), date(2026, 2, 21), 2200, 2200, date(2026, 3, 28)},
		"for more than a century":      {1, catalogue.Yearly, date(2026, 2, 28), time.Time{}, 1_000_000, 0, time.Time{}},
		"a free plan":                  {0, catalogue.Monthly, date(2026, 2, 28), time.Time{}, 100, 0, time.Time{}},
		"another interval":             {2200, "", date(2026, 2, 28), time.Time{}, 100, 0, time.Time{}},
		"an unknown renewal":           {2200, catalogue.Monthly, time.Time{}, time.Time{}, 100, 0, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			r := billing.Renewals{Price: gbp(tt.price), Interval: tt.interval, At: tt.at, PeriodStart: tt.started}
			var want *billing.Charge
			if tt.want != 0 {
				want = &billing.Charge{Amount: gbp(tt.want), At: tt.wantAt}
			}
			assert.Equal(t, want, r.FirstCharge(gbp(tt.credit), minimum))
		})
	}
}

func TestChargeAfterCredit_IsReturnedWhileCreditPaysTheNextRenewal(t *testing.T) {
	renewal := day0.AddDate(1, 0, 0)
	changedSub := newSubWithScheduledChange()
	endingLaterSub, discountedSub, invoicedSub := newSub("a", billing.Active, 0), newSub("a", billing.Active, 0), newSub("a", billing.Active, 0)
	endingLaterSub.EndsAt = renewal.AddDate(0, 6, 0)
	discountedSub.Renewal = aud(40800)
	invoicedSub.Invoicing = &billing.Invoicing{DaysUntilDue: 30}
	for name, tt := range map[string]struct {
		sub    billing.Subscription
		credit int64
		want   *billing.Charge
	}{
		"credit for the next year": {newSub("a", billing.Active, 0), 90000, &billing.Charge{Amount: aud(73200), At: day0.AddDate(2, 0, 0)}},
		"in a trial":               {newTrialSub("a", billing.Trialing, 0), 81600, &billing.Charge{Amount: aud(81600), At: day0.AddDate(2, 0, 0)}},
		// A change to Standard at $39 a month: $100 pay two months, and $17 are due for the third.
		"change scheduled": {changedSub, 10000, &billing.Charge{Amount: aud(1700), At: day0.AddDate(1, 2, 0)}},
		"invoiced by email": {invoicedSub, 90000, &billing.Charge{
			Amount: aud(73200), At: day0.AddDate(2, 0, 0), DueAt: day0.AddDate(2, 0, 30),
		}},
		"credit for a part":              {newSub("a", billing.Active, 0), 80000, nil},
		"no credit":                      {newSub("a", billing.Active, 0), 0, nil},
		"ending before the charge":       {endingLaterSub, 90000, nil},
		"a discount on the next renewal": {discountedSub, 90000, nil},
		"ending":                         {newEndingSub(), 90000, nil},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, tt.sub.ChargeAfterCredit(aud(tt.credit), 50))
		})
	}
}

func TestChargeAfterNext_FollowsTheNextChargeByOneInterval(t *testing.T) {
	trialEnd := day0.AddDate(0, 0, 7)
	quote := func(next, renewal int64, at time.Time) billing.Quote {
		return billing.Quote{Next: billing.Charge{Amount: aud(next), At: at}, Renewal: aud(renewal)}
	}
	january31 := time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		quote       billing.Quote
		interval    catalogue.Interval
		periodStart time.Time
		want        *billing.Charge
	}{
		"after a trial":           {quote(81600, 81600, trialEnd), catalogue.Yearly, day0, &billing.Charge{Amount: aud(81600), At: trialEnd.AddDate(1, 0, 0)}},
		"credit pays a part":      {quote(1000, 7600, trialEnd), catalogue.Monthly, day0, &billing.Charge{Amount: aud(7600), At: trialEnd.AddDate(0, 1, 0)}},
		"back to the 31st":        {quote(7600, 7600, january31.AddDate(0, 0, 28)), catalogue.Monthly, january31, &billing.Charge{Amount: aud(7600), At: january31.AddDate(0, 2, 0)}},
		"credit pays next":        {quote(0, 7600, trialEnd), catalogue.Monthly, day0, nil},
		"later amounts unknown":   {quote(7600, 0, trialEnd), catalogue.Monthly, day0, nil},
		"the interval is unknown": {quote(7600, 7600, trialEnd), "", day0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.want, tt.quote.ChargeAfterNext(tt.interval, tt.periodStart))
		})
	}
}
