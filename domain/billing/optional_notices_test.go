package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestIsOptional(t *testing.T) {
	for _, renewalReminders := range []bool{false, true} {
		assert.True(t, billing.CardExpires.IsOptional(renewalReminders))
		assert.Equal(t, renewalReminders, billing.RenewalAhead.IsOptional(renewalReminders))
		assert.False(t, billing.InvoiceOverdue.IsOptional(renewalReminders))
	}
}
