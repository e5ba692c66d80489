package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

func TestCheckSubscribe(t *testing.T) {
	developer := customer()
	developer.DevLicense = &billing.License{IsDev: true}
	tests := []struct {
		name    string
		account *billing.Account
		ref     catalogue.PriceRef
		code    fault.Code
		says    string
	}{
		{"the first one", customer(), professionalAUD, "", ""},
		{"after one that was canceled", customer(onTrial("a", billing.Canceled, 0)), standardAUD, "", ""},
		{"after one that was never paid", customer(subscription("a", billing.Unpaid, 0)), standardAUD, "", ""},
		{"while one is open", customer(subscription("a", billing.Incomplete, 0)), professionalAUD, "", ""},
		{"developer license", developer, professionalAUD, fault.Forbidden, "developer licence"},
		{"while active", customer(subscription("a", billing.Active, 0)), professionalAUD, fault.Conflict, "already has a subscription"},
		{"while trialing", customer(onTrial("a", billing.Trialing, 0)), standardAUD, fault.Conflict, "already has a subscription"},
		{"while past due", customer(subscription("a", billing.PastDue, 0)), professionalAUD, fault.Conflict, "Update your card"},
		{"another currency", customer(subscription("a", billing.Canceled, 0)), professionalUSD, fault.Conflict, "pays in AUD, and the currency can't be changed"},
		{"another currency while one is open", customer(subscription("a", billing.Incomplete, 0)), professionalUSD, fault.Conflict, "currency can't be changed"},
		{"no customer yet", &billing.Account{}, professionalAUD, fault.Conflict, "not set up for payments"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFault(t, billing.CheckSubscribe(tt.account, tt.ref), tt.code, tt.says)
		})
	}
}

func checkFault(t *testing.T, err error, code fault.Code, says string) {
	t.Helper()
	assert.Equal(t, code, fault.CodeOf(err))
	if says != "" {
		assert.ErrorContains(t, err, says)
	}
}

func TestASecondLiveOneIsRefusedInTheSameWords(t *testing.T) {
	for _, status := range []billing.Status{billing.Active, billing.Trialing, billing.PastDue} {
		a := customer(subscription("a", status, 0))
		assert.Equal(t, billing.CheckSubscribe(a, professionalAUD), billing.AlreadySubscribed(status))
	}
}
