package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestStatus_LiveAndEnded(t *testing.T) {
	tests := []struct {
		status      billing.Status
		live, ended bool
	}{
		{billing.Trialing, true, false},
		{billing.Active, true, false},
		{billing.PastDue, true, false},
		{billing.Incomplete, false, false},
		{billing.IncompleteExpired, false, true},
		{billing.Canceled, false, true},
		{billing.Unpaid, false, true},
		{"paused", false, false},
		{"", false, false},
	}
	for _, tt := range tests {
		t.Run(string(tt.status), func(t *testing.T) {
			assert.Equal(t, tt.live, tt.status.Live())
			assert.Equal(t, tt.ended, tt.status.Ended())
		})
	}
}
