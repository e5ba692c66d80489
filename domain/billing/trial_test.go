package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/money"
)

type trialIn struct {
	TrialPeriodDays int       `json:"trialPeriodDays"`
	TrialUsed       bool      `json:"trialUsed"`
	NoTrial         bool      `json:"noTrial"`
	Price           int64     `json:"price"`
	Now             time.Time `json:"now"`
}

type trialWant struct {
	Days int     `json:"days"`
	Due  wireDue `json:"due"`
}

type wireDue struct {
	Amount int64   `json:"amount"`
	At     *string `json:"at"` // null is now
}

func TestTrialDaysAndDueOf(t *testing.T) {
	domaintest.Run(t, "trial", func(in trialIn) trialWant {
		plan := catalogue.Plan{TrialPeriodDays: in.TrialPeriodDays}
		price, err := money.New(in.Price, "AUD")
		require.NoError(t, err)
		days := billing.TrialDays(in.account(), plan, in.NoTrial)
		due := billing.DueOf(price, days, in.Now)
		return trialWant{Days: days, Due: wireDue{Amount: due.Amount.Minor(), At: wireTime(due.At)}}
	})
}

// One trial per organisation, ever, whatever happened to it and whichever plan is next.
func TestTrialIsUsedUpByEveryTrialThereWas(t *testing.T) {
	plan := catalogue.Plan{ID: "standard", TrialPeriodDays: 7}
	for _, status := range statuses {
		assert.Zero(t, billing.TrialDays(customer(onTrial("a", status, 0)), plan, false), status)
		without := customer(subscription("a", status, 0))
		assert.Equal(t, 7, billing.TrialDays(without, plan, false), "%s, without a trial", status)
	}
}

func TestDueOfIsExactToTheMicrosecond(t *testing.T) {
	price, err := money.New(81600, "AUD")
	require.NoError(t, err)
	now := time.Date(2026, time.January, 31, 21, 0, 0, 1234, time.FixedZone("AEDT", 11*60*60))
	due := billing.DueOf(price, 7, now)
	assert.Equal(t, time.Date(2026, time.February, 7, 10, 0, 0, 1000, time.UTC), due.At)
	assert.Equal(t, price, due.Amount)
}

func (in trialIn) account() *billing.Account {
	if in.TrialUsed {
		return &billing.Account{TrialUsedAt: day0}
	}
	return &billing.Account{}
}

func wireTime(at time.Time) *string {
	if at.IsZero() {
		return nil
	}
	text := at.Format(time.RFC3339Nano)
	return &text
}
