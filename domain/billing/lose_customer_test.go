package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestLoseCustomerEndsEverythingButKeepsTheTrialUsed(t *testing.T) {
	began := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	account := billing.Account{
		CustomerID: "cus_1", Currency: "AUD", TrialUsedAt: began, CheckAt: began,
		Subscriptions: []billing.Subscription{
			{ID: "new", Status: billing.Active},
			{ID: "old", Status: billing.IncompleteExpired},
		},
	}

	account.LoseCustomer()

	assert.Empty(t, account.CustomerID)
	assert.Empty(t, account.Currency)
	assert.Zero(t, account.CheckAt)
	assert.Nil(t, account.License())
	assert.Equal(t, "new", account.PastLicense().ID)
	assert.Equal(t, billing.IncompleteExpired, account.Subscriptions[1].Status)
	assert.Equal(t, began, account.TrialUsedAt)
	assert.EqualValues(t, 1, account.Revision)
}
