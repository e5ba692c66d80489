package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

func TestPriceChoiceNamesOnePrice(t *testing.T) {
	for _, choice := range []PriceChoice{choseMonthly, {PriceID: "standard_monthly", Interval: "monthly", Currency: "AUD"}} {
		price, err := choice.resolve(catalogue.Default())
		require.NoError(t, err)
		assert.Equal(t, monthly, price)
	}
}

func TestPriceChoiceNotForSale(t *testing.T) {
	tests := map[string]struct {
		choice PriceChoice
		field  string
	}{
		"nothing":                   {PriceChoice{}, "priceId"},
		"an unknown plan":           {PriceChoice{"premium_monthly", "monthly", "AUD"}, "priceId"},
		"a plan sold by people":     {PriceChoice{"enterprise_yearly", "yearly", "AUD"}, "priceId"},
		"words that disagree":       {PriceChoice{"standard_monthly", "yearly", "AUD"}, "interval"},
		"no interval":               {PriceChoice{"standard_monthly", "", "AUD"}, "interval"},
		"a currency without prices": {PriceChoice{"standard_monthly", "monthly", "JPY"}, "currency"},
		"no currency":               {PriceChoice{"standard_monthly", "monthly", ""}, "currency"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := tt.choice.resolve(catalogue.Default())
			require.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.Equal(t, tt.field, fault.FieldsOf(err)[0].Name)

			_, err = newBench(t).Subscribe.Do(t.Context(), who, SubscribeRequest{Price: tt.choice})
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			_, err = newBench(t).ChangePlan.Do(t.Context(), who, tt.choice)
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
		})
	}
}
