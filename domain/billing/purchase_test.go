package billing_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/fault"
)

func TestCheckSubscribe_AllowsPurchaseOrReturnsReason(t *testing.T) {
	tests := []struct {
		name    string
		account *billing.Account
		ref     catalogue.PriceRef
		code    fault.Code
		message string
	}{
		{"allows the first subscription", newAccount(), professionalAUD, "", ""},
		{"allows a purchase after a canceled subscription", newAccount(newTrialSub("a", billing.Canceled, 0)), standardAUD,
			"", ""},
		{"allows a purchase after an unpaid subscription", newAccount(newSub("a", billing.Unpaid, 0)), standardAUD,
			"", ""},
		{"allows a purchase while a first payment is open", newAccount(newSub("a", billing.Incomplete, 0)),
			professionalAUD, "", ""},
		{"refuses a developer license", newDeveloperAccount(), professionalAUD, fault.Forbidden, "developer licence"},
		{"refuses while active", newAccount(newSub("a", billing.Active, 0)), professionalAUD, fault.Conflict,
			"already has a subscription"},
		{"refuses while trialing", newAccount(newTrialSub("a", billing.Trialing, 0)), standardAUD, fault.Conflict,
			"already has a subscription"},
		{"refuses while a payment waits for the customer's approval", newAccount(newUnapprovedSub()), professionalAUD,
			fault.Conflict, "Approve it"},
		{"refuses while past due", newAccount(newSub("a", billing.PastDue, 0)), professionalAUD, fault.Conflict,
			"Pay the invoice"},
		{"refuses another currency", newAccount(newSub("a", billing.Canceled, 0)), professionalUSD, fault.Conflict,
			"pays in AUD, and the currency can't be changed"},
		{"refuses another currency while a first payment is open", newAccount(newSub("a", billing.Incomplete, 0)),
			professionalUSD, fault.Conflict, "currency can't be changed"},
		{"refuses without a customer", &billing.Account{}, professionalAUD, fault.Conflict, "not set up for payments"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assertFault(t, billing.CheckSubscribe(tt.account, tt.ref), tt.code, tt.message)
		})
	}
}

func TestCheckSubscribe_LiveSubscriptionReturnsErrAlreadySubscribed(t *testing.T) {
	for _, status := range []billing.Status{billing.Active, billing.Trialing, billing.PastDue} {
		a := newAccount(newSub("a", status, 0))
		assert.Equal(t, billing.CheckSubscribe(a, professionalAUD), billing.ErrAlreadySubscribed(status))
	}
}

type trialInput struct {
	TrialPeriodDays int       `json:"trialPeriodDays"`
	TrialUsed       bool      `json:"trialUsed"`
	NoTrial         bool      `json:"noTrial"`
	Now             time.Time `json:"now"`
}

type trialWant struct {
	Days   int       `json:"days"`
	EndsAt time.Time `json:"endsAt"`
}

func TestTrialDays_MatchTestVectors(t *testing.T) {
	for _, c := range domaintest.LoadVectors[domaintest.Case[trialInput, trialWant]](t, "trial") {
		t.Run(c.Name, func(t *testing.T) {
			account := billing.Account{}
			if c.In.TrialUsed {
				account.TrialUsedAt = day0
			}
			plan := catalogue.Plan{TrialPeriodDays: c.In.TrialPeriodDays}
			assert.Equal(t, c.Want.Days, billing.TrialDays(&account, plan, c.In.NoTrial))
			if !c.In.NoTrial {
				assert.Equal(t, billing.Trial(c.Want), billing.OfferTrial(&account, plan, c.In.Now))
			}
		})
	}
}

func TestOfferTrial_OffersNoneAfterSubscriptionStarted(t *testing.T) {
	plan := catalogue.Plan{ID: "standard", TrialPeriodDays: 7}
	for _, status := range statuses {
		isOffered := billing.OfferTrial(newAccount(newSub("a", status, 0)), plan, day0).Days > 0
		neverStarted := status == billing.Incomplete || status == billing.IncompleteExpired
		assert.Equal(t, neverStarted, isOffered, status)
	}
}

func TestTrialDays_AreZeroAfterFirstTrial(t *testing.T) {
	plan := catalogue.Plan{ID: "standard", TrialPeriodDays: 7}
	for _, status := range statuses {
		assert.Zero(t, billing.TrialDays(newAccount(newTrialSub("a", status, 0)), plan, false), status)
		a := newAccount(newSub("a", status, 0))
		assert.Equal(t, 7, billing.TrialDays(a, plan, false), "%s, without a trial", status)
	}
}

func TestDecidePurchase_StartsContinuesOrReplacesSubscription(t *testing.T) {
	const card, newCard = "pm_1", "new pm_1" // the payment saves newCard
	amount := aud(81600)
	plan := catalogue.Plan{ID: "professional", TrialPeriodDays: 7}
	save := billing.Action{Kind: billing.SaveCardAction, CustomerID: "cus_1", MethodID: card}
	end := func(id string) billing.Action {
		return billing.Action{Kind: billing.EndUnpaidAction, CustomerID: "cus_1", SubscriptionID: id}
	}
	start := func(card string, days int, isFirst bool) billing.Action {
		return billing.Action{
			Kind: billing.StartSubscriptionAction, CustomerID: "cus_1", MethodID: card, Price: professionalAUD,
			TrialDays: days, FirstSubscription: isFirst,
		}
	}
	pay := billing.Action{
		Kind: billing.PayInvoiceAction, CustomerID: "cus_1", SubscriptionID: "open", InvoiceID: "in_1", Amount: amount,
	}
	payWithNewCard := pay
	payWithNewCard.MethodID, payWithNewCard.NewMethod = card, true
	openSub := newSub("open", billing.Incomplete, 1)
	openSub.LatestInvoice = &billing.Invoice{ID: "in_1", AmountDue: amount}
	otherPriceSub := openSub
	otherPriceSub.Price = standardAUD
	voidSub := openSub
	voidSub.LatestInvoice = &billing.Invoice{ID: "in_1", Status: billing.InvoiceVoid, AmountDue: amount}
	unpaidSub := newSub("unpaid", billing.Unpaid, 0)

	for name, tt := range map[string]struct {
		account *billing.Account
		card    string
		noTrial bool
		want    []billing.Action
	}{
		"first subscription, with a trial":          {newAccount(), card, false, []billing.Action{start(card, 7, true)}},
		"first subscription, without a trial":       {newAccount(), card, true, []billing.Action{start(card, 0, true)}},
		"first subscription, with the default card": {newAccount(), "", false, []billing.Action{start("", 7, true)}},
		"after a canceled subscription": {newAccount(newSub("a", billing.Canceled, 0)), card, false,
			[]billing.Action{start(card, 7, false)}},
		"after a trial": {newAccount(newTrialSub("a", billing.Canceled, 0)), card, false,
			[]billing.Action{start(card, 0, false)}},
		"an open subscription for this price is paid": {newAccount(openSub), card, false, []billing.Action{save, pay}},
		"an open subscription, with the default card": {newAccount(openSub), "", false, []billing.Action{pay}},
		"an open subscription for another price is ended": {newAccount(otherPriceSub), card, false,
			[]billing.Action{save, end("open"), start(card, 7, false)}},
		"an open subscription with a void invoice is ended": {newAccount(voidSub), "", false,
			[]billing.Action{end("open"), start("", 7, false)}},
		"an unpaid subscription is ended": {newAccount(unpaidSub), "", true,
			[]billing.Action{end("unpaid"), start("", 0, false)}},
		"an unpaid subscription is ended and an open one paid": {newAccount(openSub, unpaidSub), card, false,
			[]billing.Action{save, end("unpaid"), pay}},
		"the payment of an open subscription saves the card": {newAccount(openSub), newCard, false,
			[]billing.Action{payWithNewCard}},
		"the first payment saves the card after another subscription is ended": {newAccount(otherPriceSub), newCard, false,
			[]billing.Action{end("open"), start(card, 7, false)}},
	} {
		t.Run(name, func(t *testing.T) {
			methodID, isNew := strings.CutPrefix(tt.card, "new ")
			actions, err := billing.DecidePurchase(tt.account, billing.Purchase{
				Plan: plan, Price: professionalAUD, MethodID: methodID, NoTrial: tt.noTrial, PaymentSavesMethod: isNew,
			})
			require.NoError(t, err)
			assert.Equal(t, tt.want, actions)
		})
	}
}

func TestDecidePurchase_ReturnsErrorOfCheckSubscribe(t *testing.T) {
	_, err := billing.DecidePurchase(newAccount(newSub("a", billing.Active, 0)), billing.Purchase{Price: professionalAUD})
	assertFault(t, err, fault.Conflict, "already has a subscription")
}

func TestCheckSubscribe_OffersContactWhileOverdueBillCannotBePaid(t *testing.T) {
	sub := newDeclinedSub(billing.PastDue)
	for status, want := range map[billing.InvoiceStatus]string{
		billing.InvoiceOpen: "Pay the invoice instead", billing.InvoiceUncollectible: "Pay the invoice instead",
		billing.InvoiceVoid: "Please contact us", billing.InvoiceDraft: "Please contact us",
	} {
		sub.LatestInvoice.Status = status
		assertFault(t, billing.CheckSubscribe(newAccount(sub), professionalAUD), fault.Conflict, want)
	}
}

func TestDecideOverduePayment_PaysLatestInvoiceOfOverdueSubscription(t *testing.T) {
	overdueSub := newSub("a", billing.PastDue, 0)
	overdueSub.LatestInvoice = &billing.Invoice{ID: "in_1", Status: billing.InvoiceOpen, AmountDue: aud(3900)}
	want := []billing.Action{{
		Kind: billing.PayInvoiceAction, CustomerID: "cus_1", SubscriptionID: "a", InvoiceID: "in_1", Amount: aud(3900),
	}}
	assert.Equal(t, want, billing.DecideOverduePayment(newAccount(overdueSub)))
	for _, status := range []billing.InvoiceStatus{billing.InvoiceUncollectible, billing.InvoiceVoid, billing.InvoiceDraft} {
		overdueSub.LatestInvoice.Status = status
		assert.Empty(t, billing.DecideOverduePayment(newAccount(overdueSub)), status)
	}
	overdueSub.LatestInvoice = nil
	assert.Empty(t, billing.DecideOverduePayment(newAccount(overdueSub)))
	assert.Empty(t, billing.DecideOverduePayment(newAccount(newSub("a", billing.Active, 0))))
	assert.Empty(t, billing.DecideOverduePayment(newAccount()))
}
