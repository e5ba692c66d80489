package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestNextCheck(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	ends := func(in time.Duration, status billing.Status) []billing.Subscription {
		return []billing.Subscription{{Status: status, CurrentPeriodEnd: now.Add(in)}}
	}
	cases := map[string]struct {
		subs []billing.Subscription
		want time.Duration
	}{
		"nothing bought":           {nil, 7 * day},
		"first payment open":       {ends(30*day, billing.Incomplete), time.Hour},
		"a payment overdue":        {ends(30*day, billing.PastDue), time.Hour},
		"period over":              {ends(-day, billing.Active), time.Hour},
		"period over this moment":  {ends(0, billing.Trialing), time.Hour},
		"trial ends soon":          {ends(2*day, billing.Trialing), 2*day + 2*time.Hour},
		"period ends soon":         {ends(time.Second, billing.Active), time.Second + 2*time.Hour},
		"just within the week":     {ends(7*day-2*time.Hour-1, billing.Active), 7*day - 1},
		"period ends after a week": {ends(365*day, billing.Active), 7 * day},
		"an end nobody told":       {[]billing.Subscription{{Status: billing.Active}}, 7 * day},
		"never paid":               {ends(-day, billing.Unpaid), 7 * day},
		"canceled":                 {ends(-day, billing.Canceled), 7 * day},
		"expired":                  {ends(-day, billing.IncompleteExpired), 7 * day},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			account := billing.Account{CustomerID: "cus_1", Subscriptions: c.subs}
			assert.Equal(t, now.Add(c.want), account.NextCheck(now))

			account.CustomerID = ""
			assert.Zero(t, account.NextCheck(now), "nobody could be asked about")
		})
	}
}
