package fakepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
)

func TestOpenTellsEverythingThatIsWrong(t *testing.T) {
	_, err := fakepayment.Open(fakepayment.Config{AfterRetries: billing.Active, Secrets: []string{""}})
	assert.ErrorContains(t, err, "needs a clock and prices")
	assert.ErrorContains(t, err, "canceled or unpaid")
	assert.ErrorContains(t, err, "empty secret")
}

func TestOpenNeedsAFolderItMayWriteIn(t *testing.T) {
	_, err := fakepayment.Open(fakepayment.Config{Path: "/dev/null/journal", Clock: fixedClock{noon}, Prices: prices{}})
	require.Error(t, err)
}
