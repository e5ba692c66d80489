package billing_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

// Providers store responses as JSON, and a request can be repeated after an update of the server.
func TestUnmarshal_ReadsResponsesOfEarlierVersions(t *testing.T) {
	t.Parallel()
	var s billing.Subscription
	require.NoError(t, json.Unmarshal([]byte(`{
		"MadeBy": "start", "ChangedBy": "change",
		"LatestInvoice": {"BilledTo": {"Name": "Northside Clinic"}, "Received": [{}]}
	}`), &s))
	var c billing.Customer
	require.NoError(t, json.Unmarshal([]byte(`{"Preferred": "NZD"}`), &c))

	assert.Equal(t, "start", s.StartKey)
	assert.Equal(t, "change", s.ChangeKey)
	assert.Equal(t, "Northside Clinic", s.LatestInvoice.Buyer.Name)
	assert.Len(t, s.LatestInvoice.ReceivedPayments, 1)
	assert.Equal(t, "NZD", c.PreferredCurrency)
}
