package billing_test

import (
	"testing"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/domaintest"
)

func TestDisplayName_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "method-names", func(in struct {
		Brand *string `json:"brand"`
		Label string  `json:"label"`
	},
	) string {
		if in.Brand != nil {
			return billing.BrandName(*in.Brand)
		}
		return billing.PaymentMethod{Kind: billing.OtherMethod, Label: in.Label}.DisplayName()
	})
}
