package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestStale(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	later, earlier := now.Add(time.Hour), now.Add(-time.Hour)
	waiting := &billing.Intent{Status: billing.RequiresAction}
	cases := map[string]struct {
		subs []billing.Subscription
		want bool
	}{
		"nothing bought":          {nil, false},
		"in its period":           {[]billing.Subscription{{Status: billing.Active, CurrentPeriodEnd: later}}, false},
		"period over":             {[]billing.Subscription{{Status: billing.Active, CurrentPeriodEnd: earlier}}, true},
		"period over this moment": {[]billing.Subscription{{Status: billing.Trialing, CurrentPeriodEnd: now}}, true},
		"first payment open":      {[]billing.Subscription{{Status: billing.Incomplete}}, true},
		"authentication open":     {[]billing.Subscription{{Status: billing.Trialing, CurrentPeriodEnd: later, PendingSetup: waiting}}, true},
		"a payment overdue":       {[]billing.Subscription{{Status: billing.PastDue, CurrentPeriodEnd: later}}, true},
		"ended":                   {[]billing.Subscription{{Status: billing.Canceled, CurrentPeriodEnd: earlier}}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			account := billing.Account{Subscriptions: c.subs}
			assert.Equal(t, c.want, account.Stale(now))
		})
	}
}
