package billing_test

import (
	"testing"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/domaintest"
)

func TestDebugOn(t *testing.T) {
	domaintest.Run(t, "debug", func(in *string) bool {
		if in == nil {
			return billing.DebugOn(false, "")
		}
		return billing.DebugOn(true, *in)
	})
}
