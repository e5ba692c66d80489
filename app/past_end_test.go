package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

func TestDescribeUser_ReportsWhenAndWhyThePlanHasEnded(t *testing.T) {
	f, caller := signUp(t)
	sub := f.subscribe(caller, visa, monthly, true)
	f.end(caller)
	f.Advance(40 * 24 * time.Hour)

	_, org, err := f.DescribeUser.Do(t.Context(), caller)

	require.NoError(t, err)
	assert.Equal(t, &billing.PastEnd{At: sub.CurrentPeriodEnd, Cause: billing.CauseRequested}, org.Billing.PastEnd())

	f.subscribe(caller, visa, monthly, true)
	f.becomeOverdue(caller)
	f.Advance(20 * 24 * time.Hour)
	_, org, err = f.DescribeUser.Do(t.Context(), caller)
	require.NoError(t, err)
	require.NotNil(t, org.Billing.PastEnd())
	assert.Equal(t, billing.CauseUnpaid, org.Billing.PastEnd().Cause)
}
