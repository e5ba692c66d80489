package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

// newActiveSub returns an active subscription with a known period, after the change.
func newActiveSub(change func(*billing.Subscription)) billing.Subscription {
	s := newSub("sub_1", billing.Active, 0)
	s.PeriodStart = s.CreatedAt
	change(&s)
	return s
}

func TestChangeNotices_ReportDifferencesBetweenSubscriptions(t *testing.T) {
	changeNothing := func(*billing.Subscription) {}
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
	applyAll := func(changes ...func(*billing.Subscription)) func(*billing.Subscription) {
		return func(s *billing.Subscription) {
			for _, change := range changes {
				change(s)
			}
		}
	}
	for name, c := range map[string]struct {
		oldState, newState func(*billing.Subscription)
		want               kinds
	}{
		"no change": {changeNothing, changeNothing, nil},
		"a new period": {changeNothing,
			func(s *billing.Subscription) { s.PeriodStart = s.CurrentPeriodEnd }, nil},
		"a payment has failed":                       {changeNothing, makeOverdue, nil},
		"the plan was changed now":                   {changeNothing, changePrice, kinds{billing.PlanChanged}},
		"a pending change was paid":                  {setPending, changePrice, kinds{billing.PlanChanged}},
		"a scheduled change was made":                {schedule, changePrice, kinds{billing.PlanChanged}},
		"a change is pending":                        {changeNothing, setPending, nil},
		"a pending change was dropped":               {setPending, changeNothing, kinds{billing.ChangeDropped}},
		"a change was scheduled":                     {changeNothing, schedule, kinds{billing.ChangeScheduled}},
		"a scheduled change was canceled":            {schedule, changeNothing, kinds{billing.ChangeDropped}},
		"a pending change replaces a scheduled one":  {schedule, applyAll(schedule, setPending), nil},
		"the replaced change is back":                {applyAll(schedule, setPending), schedule, kinds{billing.ChangeDropped}},
		"the replacing change was paid":              {applyAll(schedule, setPending), changePrice, kinds{billing.PlanChanged}},
		"an end was requested":                       {changeNothing, requestEnd, kinds{billing.PlanEndRequested}},
		"an end cancels a scheduled change":          {schedule, requestEnd, kinds{billing.PlanEndRequested}},
		"an end cancels a pending change":            {setPending, requestEnd, kinds{billing.PlanEndRequested}},
		"an end was canceled":                        {requestEnd, changeNothing, kinds{billing.PlanResumed}},
		"an end was canceled and a change scheduled": {requestEnd, schedule, kinds{billing.PlanResumed, billing.ChangeScheduled}},
		"the plan has ended":                         {requestEnd, end, kinds{billing.PlanEnded}},
		"an overdue plan has ended":                  {makeOverdue, end, kinds{billing.PlanEnded}},
		"a plan with an overdue transfer has ended":  {awaitTransfer, end, nil}, // PlanEndedUnpaid reports it
		"the plan has ended in both copies":          {end, end, nil},
		"an order was approved":                      {awaitApproval, changeNothing, kinds{billing.PlanStarted}},
		"an order has ended":                         {awaitApproval, expire, kinds{billing.OrderEnded}},
		"an unpaid plan was paid after all": {func(s *billing.Subscription) { s.Status = billing.Unpaid }, changeNothing,
			kinds{billing.PlanStarted}},
		"a first payment was not made": {func(s *billing.Subscription) { s.Status = billing.Incomplete },
			expire, nil},
	} {
		t.Run(name, func(t *testing.T) {
			oldAccount, currentAccount := newAccount(newActiveSub(c.oldState)), newAccount(newActiveSub(c.newState))
			currentAccount.Revision = 7
			var reportedKinds kinds
			for _, d := range billing.ChangeNotices(oldAccount, currentAccount) {
				reportedKinds = append(reportedKinds, d.Kind)
				assert.Equal(t, billing.Notice{Kind: d.Kind, SubjectID: "sub_1", Period: "7"}, d.Notice)
				assert.Equal(t, currentAccount.Subscriptions[0], d.Subscription)
				assert.Equal(t, oldAccount.Subscriptions[0], d.PreviousSubscription)
			}
			assert.Equal(t, c.want, reportedKinds)

			currentAccount.DevLicense = &billing.License{}
			assert.Empty(t, billing.ChangeNotices(oldAccount, currentAccount), "developer license")
			currentAccount.DevLicense, currentAccount.CustomerID = nil, "cus_2"
			assert.Empty(t, billing.ChangeNotices(oldAccount, currentAccount), "a subscription of an earlier customer")
			assert.Empty(t, billing.ChangeNotices(&billing.Account{}, newAccount(newActiveSub(c.newState))),
				"a new subscription")
		})
	}
}

func TestChangeNotices_ReportTheEndOfAHold(t *testing.T) {
	activeAccount := newAccount(newActiveSub(func(*billing.Subscription) {}))
	heldAccount := newAccount(newActiveSub(func(s *billing.Subscription) { s.Hold = billing.HoldDisputed }))
	assert.Empty(t, billing.ChangeNotices(activeAccount, heldAccount), "the disputed payment is reported instead")
	assert.Empty(t, billing.ChangeNotices(heldAccount, heldAccount))
	liftNotices := []billing.Notice{{Kind: billing.HoldLifted, SubjectID: "cus_1", Period: "1"}}
	assert.Equal(t, liftNotices, toNotices(billing.ChangeNotices(heldAccount, activeAccount)))
}

func TestChangeNotices_ReportCauseOfEnd(t *testing.T) {
	oldAccount := newAccount(newActiveSub(func(s *billing.Subscription) { s.Status = billing.PastDue }))
	currentAccount := newAccount(newActiveSub(func(s *billing.Subscription) { s.Status = billing.Canceled }))
	assert.Equal(t, billing.CauseUnknown, billing.ChangeNotices(oldAccount, currentAccount)[0].Cause)
	currentAccount.OwingSubscriptionID = "sub_1"
	assert.Equal(t, billing.CauseRequested, billing.ChangeNotices(oldAccount, currentAccount)[0].Cause)
}

func TestDroppedChange_ReturnsScheduledOrPendingChangeThatWasNotMade(t *testing.T) {
	scheduledChange := billing.ScheduledChange{To: standardAUD, Amount: aud(3900), At: day0}
	d := billing.DueNotice{PreviousSubscription: billing.Subscription{Scheduled: &scheduledChange}}
	droppedChange, at := d.DroppedChange()
	assert.Equal(t, scheduledChange, droppedChange)
	assert.Equal(t, day0, at)

	d = billing.DueNotice{PreviousSubscription: billing.Subscription{Pending: &billing.PendingChange{To: professionalAUD,
		Amount: aud(100)}}}
	droppedChange, at = d.DroppedChange()
	assert.Equal(t, billing.ScheduledChange{To: professionalAUD, Amount: aud(100)}, droppedChange)
	assert.Zero(t, at)

	d.Subscription.Price = professionalAUD
	droppedChange, _ = d.DroppedChange()
	assert.Zero(t, droppedChange, "the change was paid and made")

	d = billing.DueNotice{
		PreviousSubscription: billing.Subscription{Scheduled: &scheduledChange},
		Subscription:         billing.Subscription{Price: standardAUD},
	}
	droppedChange, _ = d.DroppedChange()
	assert.Zero(t, droppedChange, "the change was made at the renewal")
	d.Subscription.Price = professionalAUD
	droppedChange, _ = d.DroppedChange()
	assert.Equal(t, scheduledChange, droppedChange, "another change replaced it")

	droppedChange, _ = billing.DueNotice{}.DroppedChange()
	assert.Zero(t, droppedChange)
	assert.Equal(t, money.Amount{}, droppedChange.Amount)
}
