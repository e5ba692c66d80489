package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/catalogue/cataloguetest"
)

func TestPush_ReplacesChangedTaxRates(t *testing.T) {
	f := newFakeStripe(t, catalogue.Default())
	p := f.provider(t, cataloguetest.EditDefault(t, `"AUD": {"name": "GST", "percentage": 10}`,
		`"AUD": {"name": "GST", "percentage": 12.5}`))
	want := []string{"tax_aud is missing", "tax_aud was replaced, and txr_aud is not archived yet"}
	diffs, err := p.Check(t.Context())
	require.NoError(t, err)
	assert.Equal(t, want, diffTexts(diffs))

	diffs, err = p.Push(t.Context())

	require.NoError(t, err)
	assert.Equal(t, want, diffTexts(diffs))
	diffs, err = p.Push(t.Context())
	require.NoError(t, err)
	assert.Empty(t, diffs)
	_, err = p.Subscribe(t.Context(), subscribeRequest(f.newCustomerWithCard(t, p), "standard"))
	assert.NoError(t, err, "the new rate is in use")
}

func TestSubscribe_MissingTaxRateIsLogged(t *testing.T) {
	for name, rates := range map[string]object{
		"missing":         list(),
		"differs":         list(taxRate.withFields(object{"percentage": 9.5})),
		"created by hand": list(taxRate.withFields(object{"metadata": object{}})),
	} {
		s := stubWithCustomerAndPrices(t, customer).respond(listTaxRatesRoute, okResponse(rates)).
			respond(subscribeRoute, okResponse(activeSubscription))
		require.NoError(t, subscribeTo(t, s.provider(), standard))
		assert.False(t, s.lastRequest(subscribeRoute).params.Has("default_tax_rates[0]"), name)
		assert.Contains(t, s.log.String(), "tax rate", name)
	}
}
