package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestWithoutPaymentSecrets_LeavesTheOriginalAndEverythingElse(t *testing.T) {
	newSub := func(secret, url string) billing.Subscription {
		return billing.Subscription{
			ID: "sub", PendingSetup: &billing.Intent{ID: "seti", ClientSecret: secret},
			Next: billing.NextAction{Kind: billing.Redirect, InvoiceID: "in", Secret: secret, URL: url},
			LatestInvoice: &billing.Invoice{
				ID: "in", Number: "7", Payment: &billing.Intent{ID: "pi", Status: billing.RequiresAction, ClientSecret: secret},
			},
		}
	}
	sub := newSub("secret", "https://provider.example/pay")

	assert.Equal(t, newSub("", ""), sub.WithoutPaymentSecrets())

	assert.Equal(t, newSub("secret", "https://provider.example/pay"), sub)
	assert.Equal(t, billing.Subscription{}, billing.Subscription{}.WithoutPaymentSecrets())
}
