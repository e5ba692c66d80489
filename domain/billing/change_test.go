package billing_test

import (
	"testing"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

func TestCheckChange(t *testing.T) {
	developer := customer(subscription("a", billing.Active, 0))
	developer.DevLicense = &billing.License{IsDev: true}
	tests := []struct {
		name    string
		account *billing.Account
		ref     catalogue.PriceRef
		code    fault.Code
		says    string
	}{
		{"to another plan", customer(subscription("a", billing.Active, 0)), standardAUD, "", ""},
		{"to another interval", customer(subscription("a", billing.Active, 0)), price("professional", catalogue.Monthly, "AUD"), "", ""},
		{"on a trial", customer(onTrial("a", billing.Trialing, 0)), standardAUD, "", ""},
		{"developer license", developer, standardAUD, fault.Forbidden, "developer licence"},
		{"nothing to change", customer(), standardAUD, fault.Conflict, "no subscription to change"},
		{"only a past license", customer(subscription("a", billing.Canceled, 0)), standardAUD, fault.Conflict, "no subscription to change"},
		{"only an open one", customer(subscription("a", billing.Incomplete, 0)), standardAUD, fault.Conflict, "no subscription to change"},
		{"to what one has", customer(subscription("a", billing.Active, 0)), professionalAUD, fault.Conflict, "current plan already"},
		{"to what one has on trial", customer(onTrial("a", billing.Trialing, 0)), professionalAUD, fault.Conflict, "current plan already"},
		{"to what one has, overdue", customer(subscription("a", billing.PastDue, 0)), professionalAUD, fault.Conflict, "current plan already"},
		{"to another currency", customer(subscription("a", billing.Active, 0)), professionalUSD, fault.Conflict, "pays in AUD, and the currency can't be changed"},
		{"while a payment is overdue", customer(subscription("a", billing.PastDue, 0)), standardAUD, fault.Conflict, "once the payment is made"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkFault(t, billing.CheckChange(tt.account, tt.ref), tt.code, tt.says)
		})
	}
}
