package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

func aud(minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	if err != nil {
		panic(err) // the currency is known
	}
	return amount
}

// unpaid is a subscription in the status whose latest invoice was declined.
func unpaid(status billing.Status) billing.Subscription {
	s := subscription("a", status, 0)
	s.LatestInvoice = &billing.Invoice{
		ID: "in_1", Status: billing.InvoiceOpen, AmountDue: aud(81600), CreatedAt: day0, NextAttemptAt: day0.AddDate(0, 0, 3),
		Payment: &billing.Intent{ID: "pi_1", Status: billing.RequiresPaymentMethod, ClientSecret: "secret"},
	}
	s.Next = billing.NextActionOf(s, "Your card was declined.")
	return s
}

// changing is a subscription in the status with a change to the standard plan that was declined.
func changing(status billing.Status) billing.Subscription {
	s := unpaid(status)
	s.LatestInvoice.NextAttemptAt, s.LatestInvoice.AmountDue = time.Time{}, aud(3900)
	s.Pending = &billing.PendingChange{To: standardAUD, InvoiceID: "in_1", Amount: aud(3900), ExpiresAt: day0.Add(23 * time.Hour)}
	s.Next = billing.NextActionOf(s, "Your card was declined.")
	return s
}

func TestAccount_OpenPayment(t *testing.T) {
	trial := onTrial("a", billing.Trialing, 0)
	trial.PendingSetup = &billing.Intent{Status: billing.RequiresPaymentMethod}
	trial.Next = billing.NextActionOf(trial, "The bank said no.")
	due := billing.OpenPayment{
		SubscriptionID: "a", InvoiceID: "in_1", Amount: aud(81600), Since: day0, NextAttemptAt: day0.AddDate(0, 0, 3),
		Price: professionalAUD, Reason: "Your card was declined.",
	}
	first, overdue := due, due
	first.Kind, overdue.Kind = billing.FirstPayment, billing.OverduePayment
	change := billing.OpenPayment{
		Kind: billing.PlanChangePayment, SubscriptionID: "a", InvoiceID: "in_1", Amount: aud(3900), Since: day0,
		ExpiresAt: day0.Add(23 * time.Hour), Price: standardAUD, Reason: "Your card was declined.",
	}
	for name, c := range map[string]struct {
		sub  billing.Subscription
		want *billing.OpenPayment
	}{
		"nothing":                {subscription("a", billing.Active, 0), nil},
		"ended":                  {unpaid(billing.Canceled), nil},
		"first payment":          {unpaid(billing.Incomplete), &first},
		"overdue":                {unpaid(billing.PastDue), &overdue},
		"change":                 {changing(billing.Active), &change},
		"change during a trial":  {changing(billing.Trialing), &change},
		"card to authenticate":   {trial, &billing.OpenPayment{Kind: billing.Authentication, SubscriptionID: "a", ExpiresAt: trial.TrialEnd, Price: professionalAUD, Reason: "The bank said no."}},
		"incomplete, no invoice": {subscription("a", billing.Incomplete, 0), nil},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, customer(c.sub).OpenPayment())
		})
	}
}

func TestNextActionOf(t *testing.T) {
	withPayment := func(s billing.Subscription, status billing.IntentStatus) billing.Subscription {
		s.LatestInvoice.Payment.Status = status
		return s
	}
	trial := onTrial("a", billing.Trialing, 0)
	trial.PendingSetup = &billing.Intent{Status: billing.RequiresAction, ClientSecret: "setup secret"}
	payment := billing.NextAction{InvoiceID: "in_1", Secret: "secret", Reason: "no"}
	as := func(n billing.NextAction, kind billing.ActionKind, until time.Time) billing.NextAction {
		n.Kind, n.Until = kind, until
		return n
	}
	wait := as(payment, billing.Wait, time.Time{})
	wait.Secret = ""
	for name, c := range map[string]struct {
		sub  billing.Subscription
		want billing.NextAction
	}{
		"declined":             {unpaid(billing.Incomplete), as(payment, billing.NewPaymentMethod, time.Time{})},
		"wants authentication": {withPayment(unpaid(billing.PastDue), billing.RequiresAction), as(payment, billing.ConfirmPayment, time.Time{})},
		"processing":           {withPayment(unpaid(billing.PastDue), billing.Processing), wait},
		"paid":                 {withPayment(unpaid(billing.PastDue), billing.Succeeded), billing.NextAction{}},
		"pending change":       {changing(billing.Active), as(payment, billing.NewPaymentMethod, day0.Add(23*time.Hour))},
		"trial":                {trial, billing.NextAction{Kind: billing.ConfirmSetup, Secret: "setup secret", Reason: "no"}},
		"active":               {withPayment(unpaid(billing.Active), billing.IntentCanceled), billing.NextAction{}},
		"ended":                {unpaid(billing.Canceled), billing.NextAction{}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, billing.NextActionOf(c.sub, "no"))
		})
	}
}

func TestCheckChange_WhileAnotherIsPending(t *testing.T) {
	for _, status := range []billing.Status{billing.Active, billing.Trialing} {
		a := customer(changing(status))
		assert.NoError(t, billing.CheckChange(a, standardAUD), "the same target pays the invoice")
		checkFault(t, billing.CheckChange(a, price("standard", catalogue.Yearly, "AUD")), fault.Conflict, "waiting for its payment")
		checkFault(t, billing.CheckChange(a, professionalAUD), fault.Conflict, "waiting for its payment")
	}
}

func TestCheckChange_WhileABillIsCollected(t *testing.T) {
	for status, refused := range map[billing.InvoiceStatus]bool{
		billing.InvoiceDraft: true, billing.InvoiceOpen: true, billing.InvoicePaid: false, billing.InvoiceVoid: false,
	} {
		s := unpaid(billing.Active)
		s.LatestInvoice.Status = status
		err := billing.CheckChange(customer(s), standardAUD)
		if refused {
			checkFault(t, err, fault.Conflict, "bill is being collected")
		} else {
			assert.NoError(t, err, status)
		}
	}
}

func TestRecord_DropsTheSecretsOfTheNextActionAndSharesNothing(t *testing.T) {
	s := changing(billing.Active)
	s.Next.URL, s.Next.Instructions = "https://provider.example/secret", []billing.Instruction{{Label: "Account", Value: "1"}}
	kept := customer(s).Subscriptions[0]
	assert.Empty(t, kept.Next.Secret+kept.Next.URL)
	assert.Equal(t, "secret", s.Next.Secret, "the browser still needs the original's")
	s.Pending.InvoiceID, s.Next.Instructions[0].Value = "in_2", "2"
	assert.Equal(t, "in_1", kept.Pending.InvoiceID)
	assert.Equal(t, "1", kept.Next.Instructions[0].Value)
}

func TestStale_AndNextCheck_FollowAPendingChange(t *testing.T) {
	a := customer(changing(billing.Active))
	assert.True(t, a.Stale(day0), "it may be paid in the browser")
	assert.Equal(t, day0.Add(time.Hour), a.NextCheck(day0))
	late := day0.Add(22*time.Hour + 30*time.Minute)
	assert.Equal(t, day0.Add(23*time.Hour+time.Minute), a.NextCheck(late), "when it has expired")
}

func TestLoseCustomer_DropsThePendingChange(t *testing.T) {
	a := customer(changing(billing.Active))
	a.LoseCustomer()
	assert.Nil(t, a.Subscriptions[0].Pending)
	assert.Equal(t, billing.NextAction{}, a.Subscriptions[0].Next)
	assert.Nil(t, a.OpenPayment())
}

func TestDecide_PendingChangeIsAboutItsPayment(t *testing.T) {
	s := changing(billing.Active)
	assert.Equal(t, billing.OutcomeCardDeclined, billing.Decide(s, false))
	assert.Equal(t, billing.OutcomeConfirmPayment, billing.Decide(s, true))
	s.LatestInvoice.Payment.Status = billing.RequiresAction
	assert.Equal(t, billing.OutcomeConfirmPayment, billing.Decide(s, false))
	s.Pending = nil
	assert.Equal(t, billing.OutcomeSucceeded, billing.Decide(s, false))
}
