package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestACustomerIsAskedAboutFromThenOn(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a := billing.Account{}

	a.AdoptCustomer("cus_1", now)

	assert.Equal(t, billing.Account{CustomerID: "cus_1", CheckAt: now.AddDate(0, 0, 7)}, a)
}

func TestACustomerThatIsKnownIsNotAskedAboutLater(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a := billing.Account{CustomerID: "cus_1", CheckAt: now.Add(time.Minute)}
	before := a

	a.AdoptCustomer("cus_1", now)

	assert.Equal(t, before, a)
}
