package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

func TestPlanPurchase(t *testing.T) {
	const card = "pm_1"
	due, err := money.New(81600, "AUD")
	require.NoError(t, err)
	trialing := catalogue.Plan{ID: "professional", TrialPeriodDays: 7}
	save := billing.Step{Kind: billing.SaveCardStep, CustomerID: "cus_1", CardID: card}
	end := func(id string) billing.Step {
		return billing.Step{Kind: billing.EndUnpaidStep, CustomerID: "cus_1", SubscriptionID: id}
	}
	start := func(card string, days int, first bool) billing.Step {
		return billing.Step{Kind: billing.StartSubscriptionStep, CustomerID: "cus_1", CardID: card, Price: professionalAUD, TrialDays: days, First: first}
	}
	pay := billing.Step{Kind: billing.PayInvoiceStep, CustomerID: "cus_1", SubscriptionID: "open", InvoiceID: "in_1", Amount: due}
	open := subscription("open", billing.Incomplete, 1)
	open.LatestInvoice = &billing.Invoice{ID: "in_1", AmountDue: due}
	otherPrice := open
	otherPrice.Price = standardAUD
	unpaid := subscription("unpaid", billing.Unpaid, 0)

	for name, tt := range map[string]struct {
		account *billing.Account
		card    string
		noTrial bool
		want    []billing.Step
	}{
		"the first one, with a trial":            {customer(), card, false, []billing.Step{start(card, 7, true)}},
		"the first one, without a trial":         {customer(), card, true, []billing.Step{start(card, 0, true)}},
		"the first one, with the default card":   {customer(), "", false, []billing.Step{start("", 7, true)}},
		"after one that was canceled":            {customer(subscription("a", billing.Canceled, 0)), card, false, []billing.Step{start(card, 7, false)}},
		"after a trial":                          {customer(onTrial("a", billing.Canceled, 0)), card, false, []billing.Step{start(card, 0, false)}},
		"an open one for this price is paid":     {customer(open), card, false, []billing.Step{save, pay}},
		"an open one, with the default card":     {customer(open), "", false, []billing.Step{pay}},
		"an open one for another price is ended": {customer(otherPrice), card, false, []billing.Step{save, end("open"), start(card, 7, false)}},
		"an unpaid one is ended":                 {customer(unpaid), "", true, []billing.Step{end("unpaid"), start("", 0, false)}},
		"an unpaid and an open one":              {customer(open, unpaid), card, false, []billing.Step{save, end("unpaid"), pay}},
	} {
		t.Run(name, func(t *testing.T) {
			steps, err := billing.PlanPurchase(tt.account, billing.Purchase{
				Plan: trialing, Price: professionalAUD, CardID: tt.card, NoTrial: tt.noTrial,
			})
			require.NoError(t, err)
			assert.Equal(t, tt.want, steps)
		})
	}
}

func TestPlanPurchase_RefusesWhatCheckSubscribeRefuses(t *testing.T) {
	_, err := billing.PlanPurchase(customer(subscription("a", billing.Active, 0)), billing.Purchase{Price: professionalAUD})
	checkFault(t, err, fault.Conflict, "already has a subscription")
}

func TestKeyed_GivesEachStepAKeyOfItsOwn(t *testing.T) {
	steps := []billing.Step{{Kind: billing.SaveCardStep}, {Kind: billing.PayInvoiceStep}}
	keyed := billing.Keyed("op_1", steps)
	assert.Equal(t, "op_1-1", keyed[0].Key)
	assert.Equal(t, "op_1-2", keyed[1].Key)
	assert.Equal(t, billing.PayInvoiceStep, keyed[1].Kind)
	assert.Empty(t, steps[0].Key, "the plan stays as it was")
}

func TestPlanChange(t *testing.T) {
	due, err := money.New(300, "AUD")
	require.NoError(t, err)
	pending := subscription("a", billing.Active, 0)
	pending.Pending = &billing.PendingChange{To: standardAUD, InvoiceID: "in_2", Amount: due}
	change := billing.Step{Kind: billing.ChangePlanStep, CustomerID: "cus_1", SubscriptionID: "a", From: professionalAUD, Price: standardAUD}
	endsTrial := change
	endsTrial.EndTrial = true
	for name, tt := range map[string]struct {
		account *billing.Account
		want    billing.Step
	}{
		"a paid plan":      {customer(subscription("a", billing.Active, 0)), change},
		"in a trial":       {customer(onTrial("a", billing.Trialing, 0)), endsTrial},
		"a pending change": {customer(pending), billing.Step{Kind: billing.PayInvoiceStep, CustomerID: "cus_1", SubscriptionID: "a", InvoiceID: "in_2", Amount: due}},
	} {
		t.Run(name, func(t *testing.T) {
			steps, err := billing.PlanChange(tt.account, standardAUD)
			require.NoError(t, err)
			assert.Equal(t, []billing.Step{tt.want}, steps)
		})
	}
	_, err = billing.PlanChange(customer(), standardAUD)
	checkFault(t, err, fault.Conflict, "no subscription to change")
}

func TestPlanOverdue(t *testing.T) {
	due, err := money.New(3900, "AUD")
	require.NoError(t, err)
	overdue := subscription("a", billing.PastDue, 0)
	overdue.LatestInvoice = &billing.Invoice{ID: "in_1", AmountDue: due}
	want := []billing.Step{{Kind: billing.PayInvoiceStep, CustomerID: "cus_1", SubscriptionID: "a", InvoiceID: "in_1", Amount: due}}
	assert.Equal(t, want, billing.PlanOverdue(customer(overdue)))
	overdue.LatestInvoice = nil
	assert.Empty(t, billing.PlanOverdue(customer(overdue)))
	assert.Empty(t, billing.PlanOverdue(customer(subscription("a", billing.Active, 0))))
	assert.Empty(t, billing.PlanOverdue(customer()))
}

func TestCheckSteps_RefusesACardNumberInThePlaceOfACard(t *testing.T) {
	for _, id := range []string{"4242424242424242", "4242 4242 4242 4242", "3782-822463-10005"} {
		err := billing.CheckSteps([]billing.Step{{Kind: billing.PayInvoiceStep}, {Kind: billing.DeleteCardStep, CardID: id}})
		checkFault(t, err, fault.NotFound, "no such card")
	}
	for _, id := range []string{"", "pm_1NvdAb2eZvKYlo2C4242424242424242", "card_1234", "12345678901"} {
		assert.NoError(t, billing.CheckSteps([]billing.Step{{Kind: billing.SaveCardStep, CardID: id}}), id)
	}
}
