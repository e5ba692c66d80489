package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
)

func TestOpenPayment_HasAmountsOfInvoice(t *testing.T) {
	for _, sub := range []billing.Subscription{newDeclinedSub(billing.PastDue), newSubWithPendingChange(billing.Active)} {
		inv := sub.LatestInvoice
		inv.Total, inv.CreditUsed, inv.AmountDue, inv.AmountPaid = aud(81600), aud(20000), aud(61600), aud(30000)
		p := newAccount(sub).OpenPayment()
		assert.Equal(t, []money.Amount{aud(81600), aud(20000), aud(30000)},
			[]money.Amount{p.Total, p.CreditUsed, p.AmountPaid}, p.Kind)
	}
}

func TestOpenPayment_IsNilUnlessTheInvoiceCanBePaid(t *testing.T) {
	for status, isPayable := range map[billing.InvoiceStatus]bool{
		billing.InvoiceOpen: true, billing.InvoiceUncollectible: true, billing.InvoiceDraft: false, billing.InvoiceVoid: false,
		billing.InvoicePaid: false,
	} {
		for _, sub := range []billing.Subscription{newDeclinedSub(billing.Incomplete), newDeclinedSub(billing.PastDue)} {
			sub.LatestInvoice.Status = status
			assert.Equal(t, isPayable, newAccount(sub).OpenPayment() != nil, "%s %s", sub.Status, status)
		}
	}
}

func TestOpenPayment_ReturnsPaymentOrAuthenticationToComplete(t *testing.T) {
	trial := newTrialSub("a", billing.Trialing, 0)
	trial.PendingSetup = &billing.Intent{Status: billing.RequiresPaymentMethod}
	trial.Next = billing.DeriveNextAction(trial, "The authentication failed.")
	payment := billing.OpenPayment{
		SubscriptionID: "a", InvoiceID: "in_1", Amount: aud(81600), InvoiceCreatedAt: day0, NextAttemptAt: day0.AddDate(0, 0, 3),
		Price: professionalAUD, Reason: "Your card was declined.", Failed: declinedAttempt,
	}
	firstPayment, overduePayment := payment, payment
	firstPayment.Kind, overduePayment.Kind = billing.FirstPayment, billing.OverduePayment
	unapprovedPayment := overduePayment
	unapprovedPayment.NeedsApproval, unapprovedPayment.Reason, unapprovedPayment.Failed = true, "", billing.FailedAttempt{}
	change := billing.OpenPayment{
		Kind: billing.PlanChangePayment, SubscriptionID: "a", InvoiceID: "in_1", Amount: aud(3900), InvoiceCreatedAt: day0,
		ExpiresAt: day0.Add(23 * time.Hour), Price: standardAUD, Reason: "Your card was declined.",
		Failed: declinedAttempt,
	}
	authentication := billing.OpenPayment{
		Kind: billing.Authentication, SubscriptionID: "a", ExpiresAt: trial.TrialEnd, Price: professionalAUD,
		Reason: "The authentication failed.",
	}
	for name, c := range map[string]struct {
		sub  billing.Subscription
		want *billing.OpenPayment
	}{
		"active plan":            {newSub("a", billing.Active, 0), nil},
		"canceled, not owed":     {newDeclinedSub(billing.Canceled), nil},
		"first payment":          {newDeclinedSub(billing.Incomplete), &firstPayment},
		"overdue":                {newDeclinedSub(billing.PastDue), &overduePayment},
		"change":                 {newSubWithPendingChange(billing.Active), &change},
		"change during a trial":  {newSubWithPendingChange(billing.Trialing), &change},
		"card to authenticate":   {trial, &authentication},
		"incomplete, no invoice": {newSub("a", billing.Incomplete, 0), nil},
		"overdue, not approved":  {newUnapprovedSub(), &unapprovedPayment},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, newAccount(c.sub).OpenPayment())
		})
	}
}

func TestOpenPayment_CardIsAuthenticatedOnlyIfItWillBeCharged(t *testing.T) {
	for name, c := range map[string]struct {
		change    func(*billing.Subscription)
		isCharged bool
	}{
		"trial":                   {func(*billing.Subscription) {}, true},
		"ends after the renewal":  {func(s *billing.Subscription) { s.EndsAt = s.CurrentPeriodEnd.AddDate(0, 0, 1) }, true},
		"renewal of unknown cost": {func(s *billing.Subscription) { s.Renewal = money.Amount{} }, true},
		"change at the end of the trial": {func(s *billing.Subscription) {
			s.Scheduled = &billing.ScheduledChange{To: standardAUD, At: s.TrialEnd}
		}, true},
		"ends with the trial": {func(s *billing.Subscription) { s.EndsAt = s.TrialEnd }, false},
		"charges paused":      {func(s *billing.Subscription) { s.Pause = &billing.Pause{} }, false},
		"paid by invoice":     {func(s *billing.Subscription) { s.Invoicing = &billing.Invoicing{DaysUntilDue: 14} }, false},
		"free of charge":      {func(s *billing.Subscription) { s.Renewal = aud(0) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			trial := newTrialSub("a", billing.Trialing, 0)
			trial.CurrentPeriodEnd = trial.TrialEnd
			trial.PendingSetup = &billing.Intent{Status: billing.RequiresAction}
			c.change(&trial)
			assert.Equal(t, c.isCharged, newAccount(trial).OpenPayment() != nil)
		})
	}
}

func TestDecideOpenPayment_SavesNewCardBeforeCharge(t *testing.T) {
	a := &billing.Account{CustomerID: "cus_1"}
	owedPayment := billing.OpenPayment{Kind: billing.OwedPayment, SubscriptionID: "a", InvoiceID: "in_1", Amount: aud(3900)}
	pay := billing.Action{
		Kind: billing.PayInvoiceAction, CustomerID: "cus_1", SubscriptionID: "a", InvoiceID: "in_1", Amount: aud(3900),
		SubscriptionEnded: true,
	}
	payWithCard := pay
	payWithCard.MethodID = "pm_1"
	payAndSaveAsDefault := payWithCard
	payAndSaveAsDefault.NewMethod = true
	payAndSave := payAndSaveAsDefault
	payAndSave.KeepDefault = true
	save := billing.Action{Kind: billing.SaveCardAction, CustomerID: "cus_1", SubscriptionID: "a", MethodID: "pm_1"}
	saveOnly := save
	saveOnly.KeepDefault = true
	authentication := billing.OpenPayment{Kind: billing.Authentication, SubscriptionID: "a"}

	for name, tt := range map[string]struct {
		payment billing.OpenPayment
		choice  billing.PaymentChoice
		want    []billing.Action
	}{
		"default card": {owedPayment, billing.PaymentChoice{}, []billing.Action{pay}},
		"another card": {owedPayment, billing.PaymentChoice{MethodID: "pm_1"}, []billing.Action{saveOnly, payWithCard}},
		"another card as the default": {owedPayment, billing.PaymentChoice{MethodID: "pm_1", MakeDefault: true},
			[]billing.Action{saveOnly, payWithCard, save}},
		"new card that the payment saves": {owedPayment, billing.PaymentChoice{MethodID: "pm_1", NewMethod: true, PaymentSavesMethod: true},
			[]billing.Action{payAndSave}},
		"new card that the payment saves as the default": {owedPayment,
			billing.PaymentChoice{MethodID: "pm_1", NewMethod: true, PaymentSavesMethod: true, MakeDefault: true}, []billing.Action{payAndSaveAsDefault}},
		"saved card of a provider that saves by paying": {owedPayment, billing.PaymentChoice{MethodID: "pm_1", PaymentSavesMethod: true},
			[]billing.Action{saveOnly, payWithCard}},
		"authentication":           {authentication, billing.PaymentChoice{}, nil},
		"authentication of a card": {authentication, billing.PaymentChoice{MethodID: "pm_1"}, []billing.Action{save}},
	} {
		assert.Equal(t, tt.want, billing.DecideOpenPayment(a, tt.payment, tt.choice), name)
	}
}

func TestIsInvoiceOverdue_AgreesWithTheOpenPayment(t *testing.T) {
	overdueSub := newDeclinedSub(billing.PastDue)
	approvalSub := newDeclinedSub(billing.PastDue)
	approvalSub.Next.Kind = billing.ConfirmPayment
	firstSub := newDeclinedSub(billing.Incomplete)
	owedSub := newDeclinedSub(billing.Canceled)
	for name, tt := range map[string]struct {
		sub  billing.Subscription
		want bool
	}{"overdue": {overdueSub, true}, "waits for an approval": {approvalSub, false}, "first payment": {firstSub, false}, "owed": {owedSub, true}} {
		a := newAccount(tt.sub)
		a.OwingSubscriptionID = tt.sub.ID
		p := a.OpenPayment()
		require.NotNil(t, p, name)
		isOverdueKind := p.Kind == billing.OverduePayment || p.Kind == billing.OwedPayment
		assert.Equal(t, tt.want, tt.sub.IsInvoiceOverdue(p.InvoiceID), name)
		assert.Equal(t, tt.want, isOverdueKind && !p.NeedsApproval, name)
		assert.False(t, tt.sub.IsInvoiceOverdue("another"), name)
	}
}
