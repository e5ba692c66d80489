package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestOperationIsPendingUntilSettled(t *testing.T) {
	op := billing.Operation{Key: "k", CreatedAt: day0}
	assert.True(t, op.Pending())
	op.SettledAt = day0
	assert.False(t, op.Pending())
}
