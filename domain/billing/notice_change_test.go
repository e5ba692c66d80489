package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// activeSubscription returns an active subscription with a known period, after the change.
func activeSubscription(change func(*billing.Subscription)) billing.Subscription {
	s := subscription("sub_1", billing.Active, 0)
	s.PeriodStart = s.CreatedAt
	change(&s)
	return s
}

func TestChangeNotices_ReportDifferencesBetweenSubscriptions(t *testing.T) {
	keep := func(*billing.Subscription) {}
	schedule := func(s *billing.Subscription) {
		s.Scheduled = &billing.ScheduledChange{To: standardAUD, At: s.CurrentPeriodEnd}
	}
	setPending := func(s *billing.Subscription) {
		s.Pending = &billing.PendingChange{To: standardAUD, InvoiceID: "in_2", Replaces: s.Scheduled}
		s.Scheduled = nil
	}
	changePrice := func(s *billing.Subscription) { s.Price = standardAUD }
	requestEnd := func(s *billing.Subscription) { s.EndsAt = s.CurrentPeriodEnd }
	end := func(s *billing.Subscription) { s.Status, s.EndsAt = billing.Canceled, s.CurrentPeriodEnd }
	makeOverdue := func(s *billing.Subscription) { s.Status = billing.PastDue }
	awaitTransfer := func(s *billing.Subscription) {
		s.Status = billing.PastDue
		s.Next = billing.NextAction{Kind: billing.Wait, InvoiceID: "in_1", Instructions: []billing.Instruction{{}}}
	}
	awaitApproval := func(s *billing.Subscription) {
		s.Status, s.Next = billing.Incomplete, billing.NextAction{Kind: billing.Wait}
	}
	expire := func(s *billing.Subscription) { s.Status = billing.IncompleteExpired }
	type kinds = []billing.NoticeKind
	inOrder := func(changes ...func(*billing.Subscription)) func(*billing.Subscription) {
		return func(s *billing.Subscription) {
			for _, change := range changes {
				change(s)
			}
		}
	}
	for name, c := range map[string]struct {
		before, after func(*billing.Subscription)
		want          kinds
	}{
		"no change": {keep, keep, nil},
		"a new period": {keep,
			func(s *billing.Subscription) { s.PeriodStart = s.CurrentPeriodEnd }, nil},
		"a payment has failed":                                      {keep, makeOverdue, nil},
		"the plan was changed now":                                  {keep, changePrice, kinds{billing.PlanChanged}},
		"a pending change was paid":                                 {setPending, changePrice, kinds{billing.PlanChanged}},
		"a scheduled change was made":                               {schedule, changePrice, kinds{billing.PlanChanged}},
		"a change is pending":                                       {keep, setPending, nil},
		"a pending change was dropped":                              {setPending, keep, kinds{billing.ChangeDropped}},
		"a change was scheduled":                                    {keep, schedule, kinds{billing.ChangeScheduled}},
		"a scheduled change was canceled":                           {schedule, keep, kinds{billing.ChangeDropped}},
		"a pending change replaces a scheduled one":                 {schedule, inOrder(schedule, setPending), nil},
		"the replaced change is back":                               {inOrder(schedule, setPending), schedule, kinds{billing.ChangeDropped}},
		"the replacing change was paid":                             {inOrder(schedule, setPending), changePrice, kinds{billing.PlanChanged}},
		"an end was requested":                                      {keep, requestEnd, kinds{billing.PlanEndRequested}},
		"an end cancels a scheduled change":                         {schedule, requestEnd, kinds{billing.PlanEndRequested}},
		"an end cancels a pending change":                           {setPending, requestEnd, kinds{billing.PlanEndRequested}},
		"an end was canceled":                                       {requestEnd, keep, kinds{billing.PlanResumed}},
		"an end was canceled and a change scheduled":                {requestEnd, schedule, kinds{billing.PlanResumed, billing.ChangeScheduled}},
		"the plan has ended":                                        {requestEnd, end, kinds{billing.PlanEnded}},
		"an overdue plan has ended":                                 {makeOverdue, end, kinds{billing.PlanEnded}},
		"ended with an overdue transfer, which EndedUnpaid reports": {awaitTransfer, end, nil},
		"ended in both copies":                                      {end, end, nil},
		"an order was approved":                                     {awaitApproval, keep, kinds{billing.PlanStarted}},
		"an order has ended":                                        {awaitApproval, expire, kinds{billing.OrderEnded}},
		"an unpaid plan was paid after all": {func(s *billing.Subscription) { s.Status = billing.Unpaid }, keep,
			kinds{billing.PlanStarted}},
		"a first payment was not made": {func(s *billing.Subscription) { s.Status = billing.Incomplete },
			expire, nil},
		"stored by an earlier version without the period": {func(s *billing.Subscription) { s.PeriodStart = time.Time{} },
			requestEnd, nil},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := newAccount(activeSubscription(c.before)), newAccount(activeSubscription(c.after))
			after.Revision = 7
			var got kinds
			for _, d := range billing.ChangeNotices(before, after) {
				got = append(got, d.Kind)
				assert.Equal(t, billing.Notice{Kind: d.Kind, SubjectID: "sub_1", Period: "7"}, d.Notice)
				assert.Equal(t, after.Subscriptions[0], d.Subscription)
				assert.Equal(t, before.Subscriptions[0], d.PreviousSubscription)
			}
			assert.Equal(t, c.want, got)

			after.DevLicense = &billing.License{}
			assert.Empty(t, billing.ChangeNotices(before, after), "developer license")
			after.DevLicense, after.CustomerID = nil, "cus_2"
			assert.Empty(t, billing.ChangeNotices(before, after), "a subscription of an earlier customer")
			assert.Empty(t, billing.ChangeNotices(&billing.Account{}, newAccount(activeSubscription(c.after))),
				"a new subscription")
		})
	}
}

func TestChangeNotices_ReportHoldWithDroppedChangeAndItsEnd(t *testing.T) {
	active := newAccount(activeSubscription(func(*billing.Subscription) {}))
	onHold := newAccount(activeSubscription(func(s *billing.Subscription) { s.Hold = billing.HoldDisputed }))
	returned := []billing.Notice{{Kind: billing.PaymentReturned, SubjectID: "cus_1", Period: "1"}}
	assert.Equal(t, returned, noticesOf(billing.ChangeNotices(active, onHold)))
	assert.Empty(t, billing.ChangeNotices(onHold, onHold))
	lifted := []billing.Notice{{Kind: billing.HoldLifted, SubjectID: "cus_1", Period: "1"}}
	assert.Equal(t, lifted, noticesOf(billing.ChangeNotices(onHold, active)))

	scheduled := billing.ScheduledChange{To: standardAUD, At: day0}
	active.Subscriptions[0].Scheduled = &scheduled
	notices := billing.ChangeNotices(active, onHold)
	assert.Equal(t, returned, noticesOf(notices), "there is no ChangeDropped notice")
	dropped, _ := notices[0].DroppedChange()
	assert.Equal(t, scheduled, dropped)
}

func TestChangeNotices_ReportCauseOfEnd(t *testing.T) {
	before := newAccount(activeSubscription(func(s *billing.Subscription) { s.Status = billing.PastDue }))
	after := newAccount(activeSubscription(func(s *billing.Subscription) { s.Status = billing.Canceled }))
	assert.Equal(t, billing.UnknownCause, billing.ChangeNotices(before, after)[0].Cause)
	after.OwingSubscriptionID = "sub_1"
	assert.Equal(t, billing.CauseRequested, billing.ChangeNotices(before, after)[0].Cause)
}

func TestDroppedChange_ReturnsScheduledOrPendingChangeThatWasNotMade(t *testing.T) {
	scheduled := billing.ScheduledChange{To: standardAUD, Amount: aud(3900), At: day0}
	d := billing.DueNotice{PreviousSubscription: billing.Subscription{Scheduled: &scheduled}}
	dropped, at := d.DroppedChange()
	assert.Equal(t, scheduled, dropped)
	assert.Equal(t, day0, at)

	d = billing.DueNotice{PreviousSubscription: billing.Subscription{Pending: &billing.PendingChange{To: professionalAUD,
		Amount: aud(100)}}}
	dropped, at = d.DroppedChange()
	assert.Equal(t, billing.ScheduledChange{To: professionalAUD, Amount: aud(100)}, dropped)
	assert.Zero(t, at)

	d.Subscription.Price = professionalAUD
	dropped, _ = d.DroppedChange()
	assert.Zero(t, dropped, "the change was paid and made")

	d = billing.DueNotice{
		PreviousSubscription: billing.Subscription{Scheduled: &scheduled},
		Subscription:         billing.Subscription{Price: standardAUD},
	}
	dropped, _ = d.DroppedChange()
	assert.Zero(t, dropped, "the change was made at the renewal")
	d.Subscription.Price = professionalAUD
	dropped, _ = d.DroppedChange()
	assert.Equal(t, scheduled, dropped, "another change replaced it")

	dropped, _ = billing.DueNotice{}.DroppedChange()
	assert.Zero(t, dropped)
	assert.Equal(t, money.Amount{}, dropped.Amount)
}
