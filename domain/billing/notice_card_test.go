package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestCardNotice_IsDueIfCardExpiresBeforeNextCharge(t *testing.T) {
	card := func(month, year int) *billing.PaymentMethod {
		return &billing.PaymentMethod{Card: billing.Card{ExpMonth: month, ExpYear: year}}
	}
	renewal := day0.AddDate(1, 0, 0) // 31 January 2027
	reminder := renewal.AddDate(0, 0, -31)
	for name, c := range map[string]struct {
		subscription billing.Subscription
		method       *billing.PaymentMethod
		now          time.Time
		want         bool
	}{
		"expires before the charge": {newSub("sub_1", billing.Active, 0), card(12, 2026), reminder, true},
		"expired long ago":          {newSub("sub_1", billing.Active, 0), card(1, 2026), renewal.Add(-time.Second), true},
		"before the reminder":       {newSub("sub_1", billing.Active, 0), card(12, 2026), reminder.Add(-time.Second), false},
		"after the charge":          {newSub("sub_1", billing.Active, 0), card(12, 2026), renewal, false},
		"valid in its last month":   {newSub("sub_1", billing.Active, 0), card(1, 2027), reminder, false},
		"unknown expiry":            {newSub("sub_1", billing.Active, 0), card(0, 0), reminder, false},
		"no card":                   {newSub("sub_1", billing.Active, 0), nil, reminder, false},
		"a bank account": {newSub("sub_1", billing.Active, 0),
			&billing.PaymentMethod{Kind: billing.BankDebitMethod}, reminder, false},
		"the plan ends": {newEndingSub(), card(12, 2026), reminder, false},
		"no plan":       {newSub("sub_1", billing.Canceled, 0), card(12, 2026), reminder, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAccount(c.subscription)
			dueNotice := a.CardNotice(billing.Customer{Default: c.method}, 50, c.now)
			notice := billing.Notice{Kind: billing.CardExpires, SubjectID: c.subscription.ID, Period: "2027-01-31T10:00:00Z"}
			if c.want {
				assert.Equal(t, notice, dueNotice.Notice)
				assert.Equal(t, c.subscription, dueNotice.Subscription)
			} else {
				assert.Nil(t, dueNotice)
			}
			if c.now.Before(renewal) {
				assert.Equal(t, a.LiveSubscription() != nil && a.LiveSubscription().EndsAt.IsZero(),
					billing.NoticeApplies(billing.Copy{Account: a}, notice, c.now))
			}
			a.DevLicense = &billing.License{}
			assert.Nil(t, a.CardNotice(billing.Customer{Default: c.method}, 50, c.now), "developer license")
		})
	}
}

func TestNextCheck_ReturnsTimeOfCardReminder(t *testing.T) {
	a := newAccount(newSub("sub_1", billing.Active, 0))
	a.Subscriptions[0].CurrentPeriodEnd = day0.AddDate(0, 0, 33)
	assert.Equal(t, day0.AddDate(0, 0, 2), a.NextCheck(day0))
}

func TestCardNotice_ConsidersHowTheSubscriptionIsPaid(t *testing.T) {
	expiringCard := &billing.PaymentMethod{ID: "pm_1", Card: billing.Card{ExpMonth: 1, ExpYear: day0.Year()}}
	longCard := &billing.PaymentMethod{ID: "pm_2", Card: billing.Card{ExpMonth: 1, ExpYear: day0.Year() + 9}}
	sub := newSub("a", billing.Active, 0)
	now := sub.CurrentPeriodEnd.AddDate(0, 0, -10)
	credit := aud(0)
	notice := func(change func(*billing.Subscription)) *billing.DueNotice {
		changedSub := sub
		change(&changedSub)
		account := billing.Account{CustomerID: changedSub.CustomerID}
		account.RecordSubscriptions(changedSub)
		return account.CardNotice(billing.Customer{Default: expiringCard, Credit: credit}, 50, now)
	}
	assert.NotNil(t, notice(func(*billing.Subscription) {}), "the default card expires")
	assert.Nil(t, notice(func(s *billing.Subscription) { s.Method = longCard }), "another card is charged")
	assert.Nil(t, notice(func(s *billing.Subscription) { s.Invoicing = &billing.Invoicing{} }), "no card is charged")
	setRenewal := func(s *billing.Subscription) { s.Renewal = aud(81600) }
	credit = aud(81500)
	assert.NotNil(t, notice(setRenewal), "the card pays a part of the renewal")
	credit = aud(81551)
	assert.Nil(t, notice(setRenewal), "credit pays the renewal, up to less than the minimum")
}
