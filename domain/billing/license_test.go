package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestAccount_StatusDecidesWhichSubscriptionIsLicense(t *testing.T) {
	tests := []struct {
		name                              string
		subs                              []billing.Subscription
		licenseID, pastID, liveID, openID string // ids; "" for none
	}{
		{name: "no subscription"},
		{name: "trialing", subs: []billing.Subscription{newTrialSub("a", billing.Trialing, 0)}, licenseID: "a", liveID: "a"},
		{name: "active", subs: []billing.Subscription{newSub("a", billing.Active, 0)}, licenseID: "a", liveID: "a"},
		{name: "past due", subs: []billing.Subscription{newSub("a", billing.PastDue, 0)}, licenseID: "a", liveID: "a"},
		{name: "canceled", subs: []billing.Subscription{newSub("a", billing.Canceled, 0)}, pastID: "a"},
		{name: "unpaid", subs: []billing.Subscription{newSub("a", billing.Unpaid, 0)}, pastID: "a"},
		{name: "expired", subs: []billing.Subscription{newSub("a", billing.IncompleteExpired, 0)}, pastID: "a"},
		{name: "incomplete", subs: []billing.Subscription{newSub("a", billing.Incomplete, 0)}, openID: "a"},
		{
			name:   "two ended subscriptions",
			subs:   []billing.Subscription{newSub("b", billing.Canceled, 2), newSub("a", billing.Unpaid, 1)},
			pastID: "b",
		},
		{
			name:      "a live subscription after an ended one",
			subs:      []billing.Subscription{newSub("b", billing.Active, 2), newSub("a", billing.Canceled, 1)},
			licenseID: "b", liveID: "b", pastID: "a",
		},
		{
			name:   "an incomplete subscription after an ended one",
			subs:   []billing.Subscription{newSub("b", billing.Incomplete, 2), newSub("a", billing.Canceled, 1)},
			openID: "b", pastID: "a",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newAccount(tt.subs...)
			assert.Equal(t, tt.licenseID, licenseID(a.License()))
			assert.Equal(t, tt.pastID, licenseID(a.PastLicense()))
			assert.Equal(t, tt.liveID, subscriptionID(a.LiveSubscription()))
			assert.Equal(t, tt.openID, subscriptionID(a.OpenSubscription()))
		})
	}
}

func TestAccount_DeveloperLicensePrecedesSubscription(t *testing.T) {
	a := newAccount(newSub("a", billing.Active, 0))
	a.DevLicense = &billing.License{ID: "dev_1", IsDev: true}
	assert.Equal(t, "dev_1", a.License().ID)
	assert.Equal(t, "a", a.LiveSubscription().ID)
}

func TestNewLicense_CopiesFieldsOfSubscription(t *testing.T) {
	s := newTrialSub("sub_1", billing.Trialing, 0)
	assert.Equal(t, billing.License{
		ID: "sub_1", Price: professionalAUD, Status: billing.Trialing,
		CurrentPeriodEnd: s.CurrentPeriodEnd, TrialEnd: s.TrialEnd,
	}, billing.NewLicense(s))
}

func licenseID(l *billing.License) string {
	if l == nil {
		return ""
	}
	return l.ID
}

func subscriptionID(s *billing.Subscription) string {
	if s == nil {
		return ""
	}
	return s.ID
}
