package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// subscribeTo subscribes the customer to a price and returns the error.
func subscribeTo(t *testing.T, p *stripepayment.Provider, ref catalogue.PriceRef) error {
	t.Helper()
	req := newSubscription
	req.Price = ref
	_, err := p.Subscribe(t.Context(), req)
	return err
}

func TestSubscribe_LooksUpEachPriceOnce(t *testing.T) {
	s := stubWithCustomerAndPrices(t, customer).
		respond(lookUpPricesRoute, okResponse(list(price("standard_yearly", 42000, 30000)))).
		respond(subscribeRoute, okResponse(activeSubscription))
	p := s.provider()
	for range 3 {
		require.NoError(t, subscribeTo(t, p, standard))
	}
	standardInUSD := standard
	standardInUSD.Currency = "USD"
	require.NoError(t, subscribeTo(t, p, standardInUSD))
	assert.Equal(t, "usd", s.lastRequest(subscribeRoute).params.Get("currency"))
	assert.Equal(t, 1, s.count(lookUpPricesRoute))
	assert.Equal(t, url.Values{
		"lookup_keys[0]": {"standard_yearly"}, "limit": {"100"}, "expand[0]": {"data.currency_options"},
	}, s.lastRequest(lookUpPricesRoute).params)
}

func TestSubscribe_PriceThatDiffersFromTheCatalogueIsNotSold(t *testing.T) {
	matchingPrice := price("standard_yearly", 42000, 30000)
	for name, page := range map[string]object{
		"missing":          list(),
		"archived":         list(matchingPrice.withFields(object{"active": false})),
		"other amount":     list(price("standard_yearly", 41000, 30000)),
		"missing currency": list(matchingPrice.withFields(object{"currency": "eur", "currency_options": object{}})),
		"other interval": list(matchingPrice.withFields(object{"recurring": object{"interval": "month",
			"interval_count": 1}})),
		"interval count of two": list(matchingPrice.withFields(object{"recurring": object{"interval": "year",
			"interval_count": 2}})),
		"one-time price":   list(matchingPrice.withFields(object{"recurring": nil})),
		"other lookup key": list(matchingPrice.withFields(object{"lookup_key": "standard_monthly"})),
	} {
		t.Run(name, func(t *testing.T) {
			s := stubWithCustomerAndPrices(t, customer).respond(lookUpPricesRoute, okResponse(page))
			err := subscribeTo(t, s.provider(), standard)
			assert.Equal(t, fault.Conflict, fault.CodeOf(err))
			assert.Contains(t, fault.MessageOf(err), "nothing was charged")
			assert.NotContains(t, s.routes(), subscribeRoute)
			assert.Contains(t, s.log.String(), "standard_yearly")
			assert.Contains(t, s.log.String(), "level=ERROR")
		})
	}
}

func TestSubscribe_LooksUpAMissingPriceAgain(t *testing.T) {
	s := stubWithCustomerAndPrices(t, customer).
		respond(lookUpPricesRoute, okResponse(list()), okResponse(list(price("standard_yearly", 42000, 30000)))).
		respond(subscribeRoute, okResponse(activeSubscription))
	p := s.provider()
	require.Equal(t, fault.Conflict, fault.CodeOf(subscribeTo(t, p, standard)))
	require.NoError(t, subscribeTo(t, p, standard))
}

func TestSubscribe_LooksUpAPriceAgainAfterStripeRefusedIt(t *testing.T) {
	s := stubWithCustomerAndPrices(t, customer).
		respond(subscribeRoute, invalidRequestResponse(object{"param": "items[0][price]"}), okResponse(activeSubscription))
	p := s.provider()
	assert.Equal(t, fault.Conflict, fault.CodeOf(subscribeTo(t, p, standard)))
	require.NoError(t, subscribeTo(t, p, standard))
	assert.Equal(t, 2, s.count(lookUpPricesRoute))
}

func TestSubscription_PriceComesFromTheLookupKeyOrTheMetadata(t *testing.T) {
	discontinuedPrice := catalogue.PriceRef{Product: "discontinued", Interval: catalogue.Monthly, Currency: "AUD"}
	item := func(priceObject object) object {
		return object{"id": "si_1", "quantity": 1,
			"price": priceObject.withFields(object{"currency": "aud", "unit_amount": 100})}
	}
	for name, c := range map[string]struct {
		items    object
		metadata object
		want     catalogue.PriceRef
	}{
		"lookup key": {list(item(object{"lookup_key": "standard_monthly"})), nil, standardMonthly},
		"metadata of the price": {list(item(object{"lookup_key": nil,
			"metadata": object{"price_id": "standard_monthly"}})), nil, standardMonthly},
		"lookup key before metadata": {list(item(object{"lookup_key": "standard_monthly",
			"metadata": object{"price_id": "standard_yearly"}})), nil, standardMonthly},
		"plan that the catalogue no longer has": {list(item(object{"lookup_key": "discontinued_monthly",
			"metadata": object{"price_id": "discontinued_monthly"}})), nil, discontinuedPrice},
		"metadata of the subscription": {list(item(object{"id": "price_x"})),
			object{"product": "standard", "interval": "monthly"}, standardMonthly},
		"one of several items": {list(item(object{"id": "price_x"}),
			item(object{"lookup_key": "standard_monthly"})), nil, standardMonthly},
		"product outside the catalogue": {list(item(object{"lookup_key": "consulting",
			"nickname": "Consulting", "recurring": object{"interval": "month", "interval_count": 1}})), nil,
			catalogue.PriceRef{Product: "Consulting", Interval: catalogue.Monthly, Currency: "AUD"}},
		"product outside the catalogue with a similar key": {list(item(object{"lookup_key": "gym_monthly"})),
			nil, catalogue.PriceRef{Product: "Custom plan", Currency: "AUD"}},
		"operator's price named like a plan": {list(item(object{"nickname": "standard"})), nil,
			catalogue.PriceRef{Product: "Custom standard", Currency: "AUD"}},
		"operator's price named by its product": {list(item(object{"product": object{"id": "prod_1", "name": "Hospital"}})), nil,
			catalogue.PriceRef{Product: "Hospital", Currency: "AUD"}},
		"operator's price of a plan": {list(item(object{"product": "professional",
			"recurring": object{"interval": "year", "interval_count": 1}})), nil,
			catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"}},
		"quarterly price with the key of a plan": {list(item(object{"lookup_key": "enterprise_yearly",
			"recurring": object{"interval": "month", "interval_count": 3}})), nil,
			catalogue.PriceRef{Product: "enterprise", Currency: "AUD"}},
		"product that is no license": {list(item(object{"lookup_key": nil, "nickname": "Hardware",
			"metadata": object{"license": "none"}})), nil, catalogue.PriceRef{}},
		"no items": {list(), nil, catalogue.PriceRef{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).
				respond(readSubscriptionRoute,
					okResponse(activeSubscription.withFields(object{"items": c.items, "metadata": c.metadata})))
			sub, err := s.provider().Subscription(t.Context(), "sub_1")
			require.NoError(t, err)
			assert.Equal(t, c.want, sub.Price)
		})
	}
}
