package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

func TestNextCheck_IsWithinHourForStaleCopyAndOtherwiseAtNextDate(t *testing.T) {
	const day = 24 * time.Hour
	newSubsWithPeriodEnd := func(d time.Duration, status billing.Status) []billing.Subscription {
		return []billing.Subscription{{Status: status, Renewal: aud(3900), CurrentPeriodEnd: day0.Add(d)}}
	}
	unauthenticatedSubs := newSubsWithPeriodEnd(30*day, billing.Trialing)
	unauthenticatedSubs[0].PendingSetup = &billing.Intent{Status: billing.RequiresAction}
	pendingChange := newSubsWithPeriodEnd(30*day, billing.Active)
	pendingChange[0].Pending = &billing.PendingChange{ExpiresAt: day0.Add(23 * time.Hour)}
	expiringChange := newSubsWithPeriodEnd(30*day, billing.Active)
	expiringChange[0].Pending = &billing.PendingChange{ExpiresAt: day0.Add(30 * time.Minute)}
	scheduledChange, endingSubs := newSubsWithPeriodEnd(3*day, billing.Active), newSubsWithPeriodEnd(3*day, billing.Active)
	scheduledChange[0].Scheduled = &billing.ScheduledChange{At: day0.Add(3 * day)}
	endingSubs[0].EndsAt = day0.Add(2 * day)
	transfer := newSubsWithPeriodEnd(30*day, billing.Active)
	transfer[0].Next = billing.NextAction{
		Kind: billing.Wait, InvoiceID: "in_1", Until: day0.Add(5 * day),
		Instructions: []billing.Instruction{{Label: "Reference", Value: "INV-1"}},
	}
	processingPayment := newSubsWithPeriodEnd(30*day, billing.Active)
	processingPayment[0].Next = billing.NextAction{Kind: billing.Wait, InvoiceID: "in_1", Until: day0.Add(20 * time.Minute)}
	newPausedSubs := func(d time.Duration) []billing.Subscription {
		s := newSubsWithPeriodEnd(30*day, billing.Active)
		s[0].Pause = &billing.Pause{Until: day0.Add(d)}
		return s
	}
	unknownRenewal := newSubsWithPeriodEnd(30*day, billing.Active)
	unknownRenewal[0].Renewal = money.Amount{}
	cases := map[string]struct {
		subs      []billing.Subscription
		isStale   bool
		nextCheck time.Duration // after day0
	}{
		"no subscription":              {nil, false, 7 * day},
		"first payment open":           {newSubsWithPeriodEnd(30*day, billing.Incomplete), true, time.Hour},
		"authentication open":          {unauthenticatedSubs, true, time.Hour},
		"payment overdue":              {newSubsWithPeriodEnd(30*day, billing.PastDue), true, time.Hour},
		"change pending":               {pendingChange, true, time.Hour},
		"pending change expires soon":  {expiringChange, true, 31 * time.Minute},
		"change scheduled":             {scheduledChange, false, 3*day + time.Minute},
		"invoice is due":               {transfer, false, 5*day + time.Minute},
		"processing payment":           {processingPayment, true, 21 * time.Minute},
		"pause ends":                   {newPausedSubs(2 * day), false, 2*day + time.Minute},
		"pause has ended":              {newPausedSubs(-day), true, time.Hour},
		"ends before its period":       {endingSubs, false, 2*day + time.Minute},
		"period has ended":             {newSubsWithPeriodEnd(-day, billing.Active), true, time.Hour},
		"period ends now":              {newSubsWithPeriodEnd(0, billing.Trialing), true, time.Hour},
		"trial ends soon":              {newSubsWithPeriodEnd(2*day, billing.Trialing), false, 2*day + 2*time.Hour},
		"period ends soon":             {newSubsWithPeriodEnd(time.Second, billing.Active), false, time.Second + 2*time.Hour},
		"charged just within the week": {newSubsWithPeriodEnd(7*day-2*time.Hour-1, billing.Active), false, 7*day - 1},
		"period ends after a week":     {newSubsWithPeriodEnd(365*day, billing.Active), false, 7 * day},
		"end of the period not known":  {[]billing.Subscription{{Status: billing.Active, Renewal: aud(3900)}}, false, 7 * day},
		"renewal not known":            {unknownRenewal, true, time.Hour},
		"unpaid subscription":          {newSubsWithPeriodEnd(-day, billing.Unpaid), false, 7 * day},
		"canceled subscription":        {newSubsWithPeriodEnd(-day, billing.Canceled), false, 7 * day},
		"expired subscription":         {newSubsWithPeriodEnd(-day, billing.IncompleteExpired), false, 7 * day},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			account := billing.Account{CustomerID: "cus_1", Subscriptions: c.subs}
			assert.Equal(t, c.isStale, account.IsStale(day0))
			assert.Equal(t, day0.Add(c.nextCheck), account.NextCheck(day0))

			account.CustomerID = ""
			assert.Zero(t, account.NextCheck(day0), "without a customer")
		})
	}
}

func TestScheduleCheck_KeepsCheckScheduledUpToTenMinutesEarlier(t *testing.T) {
	a := newAccount(newSub("a", billing.Active, 0))
	a.CustomerID = "cus_1"
	next := a.NextCheck(day0)
	for checkAt, want := range map[time.Time]time.Time{
		{}:                            next,
		day0:                          next, // due now
		next:                          next,
		next.Add(-10 * time.Minute):   next.Add(-10 * time.Minute),
		next.Add(-10*time.Minute - 1): next,
		next.Add(time.Second):         next,
	} {
		a.CheckAt = checkAt
		a.ScheduleCheck(day0)
		assert.Equal(t, want, a.CheckAt, checkAt)
	}
	a.CustomerID = ""
	a.ScheduleCheck(day0)
	assert.Zero(t, a.CheckAt)
}

// An event about a charge that is near must not postpone the check that reads the card.
func TestScheduleCheck_KeepsDueCheckBeforeCharge(t *testing.T) {
	a := newAccount(newSub("a", billing.Active, 0))
	a.CheckAt = a.CardReminderAt()
	a.ScheduleCheck(a.CardReminderAt().Add(time.Minute))
	assert.Equal(t, a.CardReminderAt(), a.CheckAt)
	a.CheckAt = day0.Add(time.Minute)
	a.ScheduleCheck(day0.Add(time.Hour))
	assert.NotEqual(t, day0.Add(time.Minute), a.CheckAt, "a due check long before the charge is replaced")
}

func TestScheduleInvoiceCheck_ChecksNewSubscriptionOrInvoiceSoon(t *testing.T) {
	newSubsWithInvoice := func(id string) []billing.Subscription {
		return []billing.Subscription{{ID: "sub_1", Status: billing.Active, LatestInvoice: &billing.Invoice{ID: id}}}
	}
	for name, c := range map[string]struct {
		oldSubs, newSubs []billing.Subscription
		want             time.Duration
	}{
		"first invoice":   {nil, newSubsWithInvoice("in_1"), 30 * time.Second},
		"another invoice": {newSubsWithInvoice("in_1"), newSubsWithInvoice("in_2"), 30 * time.Second},
		"same invoice":    {newSubsWithInvoice("in_1"), newSubsWithInvoice("in_1"), time.Hour},
		"new order":       {nil, []billing.Subscription{{ID: "sub_1"}}, 30 * time.Second},
		"no invoice":      {[]billing.Subscription{{ID: "sub_1"}}, []billing.Subscription{{ID: "sub_1"}}, time.Hour},
	} {
		a := billing.Account{CustomerID: "cus_1", Subscriptions: c.newSubs, CheckAt: day0.Add(time.Hour)}
		a.ScheduleInvoiceCheck(&billing.Account{Subscriptions: c.oldSubs}, day0)
		assert.Equal(t, day0.Add(c.want), a.CheckAt, name)
	}
}
