package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// The table contains the outcome of each request in each state. An outcome is the kinds of the actions, or a part of the
// error message.
func TestDecide_ReturnsActionsOrConflictForEachState(t *testing.T) {
	standardYearlyAUD := price("standard", catalogue.Yearly, "AUD")
	change := func(to catalogue.PriceRef, when billing.ChangeTiming) func(*billing.Account) ([]billing.Action, error) {
		return func(a *billing.Account) ([]billing.Action, error) {
			return billing.DecideChange(a, billing.Change{To: to, Timing: when})
		}
	}
	states := map[string]billing.Subscription{
		"no change": newSub("a", billing.Active, 0), "pending": newSubWithPendingChange(billing.Active),
		"scheduled": newSubWithScheduledChange(), "replacing": newSubWithReplacingChange(), "ending": newEndingSub(),
	}
	const (
		errTextPendingChange = "Another plan change is waiting for its payment."
		errTextResumeFirst   = "Resume first"
	)
	for request, tt := range map[string]struct {
		decide func(*billing.Account) ([]billing.Action, error)
		want   map[string][]string // by state
	}{
		"change now": {change(standardAUD, billing.ChangeNow), map[string][]string{
			"no change": {"change plan"}, "pending": {"pay invoice"}, "scheduled": {"change plan"},
			"replacing": {"pay invoice"}, "ending": {errTextResumeFirst}}},
		"change now to another target": {change(standardYearlyAUD, billing.ChangeNow), map[string][]string{
			"no change": {"change plan"}, "pending": {errTextPendingChange}, "scheduled": {"change plan"},
			"replacing": {errTextPendingChange}, "ending": {errTextResumeFirst}}},
		"change at renewal": {change(standardYearlyAUD, billing.ChangeAtRenewal), map[string][]string{
			"no change": {"schedule change"}, "pending": {errTextPendingChange}, "scheduled": {"schedule change"},
			"replacing": {errTextPendingChange}, "ending": {errTextResumeFirst}}},
		"change at renewal to the same target": {change(standardAUD, billing.ChangeAtRenewal), map[string][]string{
			"no change": {"schedule change"}, "pending": {errTextPendingChange}, "scheduled": {}, "replacing": {errTextPendingChange},
			"ending": {errTextResumeFirst}}},
		"cancel the pending change": {billing.DecideCancelPendingChange, map[string][]string{
			"no change": {}, "pending": {"cancel pending change"}, "scheduled": {},
			"replacing": {"cancel pending change"}, "ending": {}}},
		"cancel the scheduled change": {billing.DecideCancelScheduledChange, map[string][]string{
			"no change": {}, "pending": {}, "scheduled": {"cancel scheduled change"}, "replacing": {}, "ending": {}}},
		"end": {func(a *billing.Account) ([]billing.Action, error) { return billing.DecideEnd(a, day0, true) },
			map[string][]string{
				"no change": {"end at period end"}, "pending": {"cancel pending change", "end at period end"},
				"scheduled": {"cancel scheduled change", "end at period end"},
				"replacing": {"cancel pending change", "cancel scheduled change", "end at period end"}, "ending": {}}},
		"resume": {billing.DecideResume,
			map[string][]string{"no change": {}, "pending": {}, "scheduled": {}, "replacing": {}, "ending": {"resume"}}},
	} {
		for state, sub := range states {
			t.Run(request+" while "+state, func(t *testing.T) {
				actions, err := tt.decide(newAccount(sub))
				kinds := []string{}
				for _, action := range actions {
					kinds = append(kinds, string(action.Kind))
					assert.Equal(t, "cus_1", action.CustomerID)
					assert.Equal(t, "a", action.SubscriptionID)
				}
				if err == nil {
					assert.Equal(t, tt.want[state], kinds)
					return
				}
				require.Len(t, tt.want[state], 1)
				assertFault(t, err, fault.Conflict, tt.want[state][0])
			})
		}
	}
}

func TestDecideEnd_VoidsAtMostOneOverdueInvoiceInTwelveMonths(t *testing.T) {
	overdueSub := newDeclinedSub(billing.PastDue)
	overdueSub.CreatedAt = day0.AddDate(0, -1, 0)
	unpaidSub, processingSub, endingSub := overdueSub, makePaymentProcessing(overdueSub), overdueSub
	unpaidSub.CreatedAt = day0
	endingSub.EndsAt = day0.AddDate(1, 0, 0)
	oneYearLater := day0.AddDate(1, 0, 0)
	for name, tt := range map[string]struct {
		sub        billing.Subscription
		lastVoided billing.VoidedInvoice
		now        time.Time
		want       billing.EndKind
	}{
		"first overdue invoice":             {overdueSub, billing.VoidedInvoice{}, day0, billing.EndNowVoid},
		"subscription that is ending":       {endingSub, billing.VoidedInvoice{}, day0, billing.EndNowVoid},
		"subscription never paid":           {unpaidSub, billing.VoidedInvoice{}, day0, billing.EndNowOwed},
		"processing payment of the invoice": {processingSub, billing.VoidedInvoice{}, day0, billing.EndNowOwed},
		"another invoice voided less than 12 months ago": {overdueSub, billing.VoidedInvoice{SubscriptionID: "b", At: day0},
			oneYearLater.Add(-1), billing.EndNowOwed},
		"another invoice voided 12 months ago": {overdueSub, billing.VoidedInvoice{SubscriptionID: "b", At: day0}, oneYearLater,
			billing.EndNowVoid},
		"same invoice voided before": {overdueSub, billing.VoidedInvoice{SubscriptionID: "a", At: day0}, day0, billing.EndNowVoid},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAccount(tt.sub)
			a.LastVoidedInvoice = tt.lastVoided
			assert.Equal(t, &billing.End{Kind: tt.want, At: tt.now}, a.PreviewEnd(tt.now, true))
			actions, err := billing.DecideEnd(a, tt.now, true)
			require.NoError(t, err)
			assert.Equal(t, []billing.Action{{
				Kind: billing.EndNowAction, CustomerID: "cus_1", SubscriptionID: "a", VoidInvoices: tt.want == billing.EndNowVoid,
			}}, actions)
		})
	}
}

func TestCheckSubscribe_RefusesUntilOwedInvoiceIsSettled(t *testing.T) {
	canceledSub := newDeclinedSub(billing.Canceled)
	a := newAccount(canceledSub)
	assert.NoError(t, billing.CheckSubscribe(a, professionalAUD), "the provider ended the subscription")

	a.RecordEnd(billing.Action{Kind: billing.EndNowAction, SubscriptionID: "a"}, day0)
	assertFault(t, billing.CheckSubscribe(a, professionalAUD), fault.Conflict, "$816 AUD, is not paid")
	canceledSub.LatestInvoice.AmountPaid = aud(80000)
	a.RecordSubscriptions(canceledSub)
	assertFault(t, billing.CheckSubscribe(a, professionalAUD), fault.Conflict, "$16 AUD, is not paid")
	assert.Equal(t, billing.OwedPayment, a.OpenPayment().Kind)
	assert.Equal(t, aud(1600), a.OpenPayment().Amount)
	assert.False(t, a.IsStale(day0))
	assert.False(t, a.PaymentInProgress())

	canceledSub.LatestInvoice.Payment = &billing.Intent{Status: billing.RequiresAction}
	a.RecordSubscriptions(canceledSub)
	assert.True(t, a.IsStale(day0), "the customer may complete the authentication at any time")
	assert.True(t, a.PaymentInProgress())

	for _, status := range []billing.InvoiceStatus{billing.InvoiceVoid, billing.InvoicePaid, billing.InvoiceUncollectible} {
		canceledSub.LatestInvoice.Status = status
		a.RecordSubscriptions(canceledSub)
		assert.NoError(t, billing.CheckSubscribe(a, professionalAUD))
		assert.Nil(t, a.OwedInvoice())
		assert.Nil(t, a.OpenPayment())
	}
}

func TestOwingSubscription_ReturnsCanceledSubscriptionThatAwaitsTransfer(t *testing.T) {
	canceledSub := newDeclinedSub(billing.Canceled)
	canceledSub.Next = billing.NextAction{
		Kind: billing.Wait, Instructions: []billing.Instruction{{Label: "Reference", Value: "INV-1"}},
	}
	a := newAccount(canceledSub)
	assert.Equal(t, "a", a.OwingSubscription().ID, "although the provider ended it")
	assertFault(t, billing.CheckSubscribe(a, professionalAUD), fault.Conflict, "$816 AUD, is not paid")

	a.RemoveCustomer()
	assert.Nil(t, a.OwingSubscription(), "the invoice can no longer be paid")
}

func TestOpenPayment_LiveSubscriptionPrecedesOwedInvoice(t *testing.T) {
	a := newAccount(newDeclinedSub(billing.Canceled))
	a.OwingSubscriptionID = "a"
	assert.Equal(t, "Your card was declined.", a.NextAction().Reason)
	otherSub := newDeclinedSub(billing.PastDue)
	otherSub.ID, otherSub.Next.Reason = "b", "The other card was declined."
	a.RecordSubscriptions(otherSub)
	assert.Equal(t, billing.OverduePayment, a.OpenPayment().Kind)
	assert.Equal(t, "The other card was declined.", a.NextAction().Reason)
	a.RecordSubscriptions(newSub("b", billing.Active, 1))
	assert.Equal(t, billing.OwedPayment, a.OpenPayment().Kind)
	assert.Equal(t, "Your card was declined.", a.NextAction().Reason)
	a.OwingSubscriptionID = ""
	assert.Zero(t, a.NextAction())
}

func TestPreviewEnd_NothingIsOwedForAnInvoiceThatWasWrittenOffOrVoided(t *testing.T) {
	for status, want := range map[billing.InvoiceStatus]billing.EndKind{
		billing.InvoiceOpen: billing.EndNowOwed, billing.InvoiceUncollectible: billing.EndNowVoid, billing.InvoiceVoid: billing.EndNowVoid,
	} {
		sub := newDeclinedSub(billing.PastDue) // its first invoice, which is never voided
		sub.LatestInvoice.Status = status
		assert.Equal(t, want, newAccount(sub).PreviewEnd(day0, true).Kind, status)
	}
}

func TestCheckEnd_ReturnsReasonOfRefusal(t *testing.T) {
	accountWithTwoSubscriptions := newAccount(newSub("b", billing.Active, 2), newSub("a", billing.Active, 1))
	assertFault(t, billing.CheckEnd(newDeveloperAccount()), fault.Forbidden, "developer licence")
	assertFault(t, billing.CheckEnd(newAccount()), fault.Conflict, "no subscription")
	assertFault(t, billing.CheckEnd(newAccount(newSub("a", billing.Incomplete, 0))), fault.Conflict, "no subscription")
	assertFault(t, billing.CheckEnd(accountWithTwoSubscriptions), fault.Conflict, "more than one")
}

func TestPreviewEnd_ReturnsNilIfSubscriptionCannotBeEnded(t *testing.T) {
	assert.Nil(t, newDeveloperAccount().PreviewEnd(day0, true), "a developer license can't be ended")
	assert.Nil(t, newAccount(newEndingSub()).PreviewEnd(day0, true), "the subscription is ending already")
}

func TestPreviewEnd_InvoiceStaysOwedIfOnlyOperatorMayVoidIt(t *testing.T) {
	a := newAccount(billing.Subscription{ID: "sub_1", Status: billing.PastDue})
	assert.Equal(t, billing.EndNowOwed, a.PreviewEnd(day0, false).Kind)
}

func TestCheckResume_ReturnsReasonOfRefusal(t *testing.T) {
	assertFault(t, billing.CheckResume(newDeveloperAccount()), fault.Forbidden, "developer licence")
	assertFault(t, billing.CheckResume(newAccount()), fault.Conflict, "no subscription")
	assertFault(t, billing.CheckResume(newAccount(newSub("a", billing.Canceled, 0))), fault.Conflict,
		"It has ended. Subscribe again.")
	overdueSub := newDeclinedSub(billing.PastDue)
	overdueSub.EndsAt = overdueSub.CurrentPeriodEnd
	assertFault(t, billing.CheckResume(newAccount(overdueSub)), fault.Conflict, "Pay the invoice first")
	unapprovedSub := newUnapprovedSub()
	unapprovedSub.EndsAt = unapprovedSub.CurrentPeriodEnd
	assertFault(t, billing.CheckResume(newAccount(unapprovedSub)), fault.Conflict, "Approve it first")
}

// After a provider has executed the actions of any sequence of requests, at most one of pending change, scheduled change
// and end is set.
func TestSubscription_HasAtMostOneOfPendingChangeScheduledChangeAndEnd(t *testing.T) {
	targets := []catalogue.PriceRef{standardAUD, price("standard", catalogue.Yearly, "AUD"),
		price("professional", catalogue.Monthly, "AUD")}
	rapid.Check(t, func(t *rapid.T) {
		s := newSub("a", billing.Active, 0)
		for range rapid.IntRange(1, 12).Draw(t, "requests") {
			a := newAccount(s)
			var actions []billing.Action
			switch rapid.IntRange(0, 4).Draw(t, "request") {
			case 0:
				c := billing.Change{To: rapid.SampledFrom(targets).Draw(t, "target")}
				c.Timing = rapid.SampledFrom([]billing.ChangeTiming{billing.ChangeNow, billing.ChangeAtRenewal}).Draw(t, "when")
				actions, _ = billing.DecideChange(a, c)
			case 1:
				actions, _ = billing.DecideEnd(a, day0, true)
			case 2:
				actions, _ = billing.DecideResume(a)
			case 3:
				actions, _ = billing.DecideCancelPendingChange(a)
			case 4:
				actions, _ = billing.DecideCancelScheduledChange(a)
			}
			for _, action := range actions {
				s = applyAction(s, action, rapid.Bool().Draw(t, "declined"))
			}
			count := 0
			for _, isSet := range []bool{s.Pending != nil, s.Scheduled != nil, !s.EndsAt.IsZero()} {
				if isSet {
					count++
				}
			}
			assert.LessOrEqual(t, count, 1, "%+v", s)
		}
	})
}

// applyAction returns the subscription as a provider reports it after the action.
func applyAction(s billing.Subscription, action billing.Action, isDeclined bool) billing.Subscription {
	switch action.Kind {
	case billing.ChangePlanAction:
		s.Price = action.Price
		if isDeclined {
			s.Price, s.Pending = action.From, &billing.PendingChange{To: action.Price, InvoiceID: "in_2", Replaces: s.Scheduled}
		}
		s.Scheduled = nil
	case billing.PayInvoiceAction:
		if !isDeclined {
			s.Price, s.Pending = s.Pending.To, nil
		}
	case billing.CancelPendingChangeAction:
		s.Pending, s.Scheduled = nil, s.Pending.Replaces
	case billing.ScheduleChangeAction:
		s.Scheduled = &billing.ScheduledChange{To: action.Price, At: s.CurrentPeriodEnd}
	case billing.CancelScheduledChangeAction:
		s.Scheduled = nil
	case billing.EndAtPeriodEndAction:
		s.EndsAt = s.CurrentPeriodEnd
	case billing.ResumeAction:
		s.EndsAt = time.Time{}
	}
	return s
}
