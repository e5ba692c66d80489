package account_test

import (
	"testing"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/domaintest"
)

func TestTaxIDText_MatchesTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "tax-id-text", func(id account.TaxID) string { return id.Text() })
}
