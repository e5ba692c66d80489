package stripepayment_test

import (
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// buy has the customer subscribe to a price.
func buy(t *testing.T, p *stripepayment.Provider, ref catalogue.PriceRef) error {
	t.Helper()
	in := newSubscription
	in.Price = ref
	_, err := p.Subscribe(t.Context(), in)
	return err
}

func (s *script) count(route string) int {
	n := 0
	for _, asked := range s.routes() {
		if asked == route {
			n++
		}
	}
	return n
}

func TestAPriceIsLookedUpOnce(t *testing.T) {
	s := shop(t, customer).on(lookUp, fine(list(price("standard_yearly", 42000, 30000)))).on(subscribe, fine(active))
	p := s.provider()
	for range 3 {
		require.NoError(t, buy(t, p, standard))
	}
	dollars := standard
	dollars.Currency = "USD"
	require.NoError(t, buy(t, p, dollars))
	assert.Equal(t, "usd", s.last(subscribe).params.Get("currency"))
	assert.Equal(t, 1, s.count(lookUp))
	assert.Equal(t, url.Values{
		"lookup_keys[0]": {"standard_yearly"}, "limit": {"100"}, "expand[0]": {"data.currency_options"},
	}, s.last(lookUp).params)
}

func TestManyAtOnceLookUpPrices(t *testing.T) {
	s := shop(t, customer).on(subscribe, fine(active))
	p := s.provider()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { assert.NoError(t, buy(t, p, standard)) })
	}
	all.Wait()
}

func TestPricesThatAreNotSold(t *testing.T) {
	right := price("standard_yearly", 42000, 30000)
	for name, c := range map[string]object{
		"missing":               list(),
		"archived":              list(right.with(object{"active": false})),
		"another amount":        list(price("standard_yearly", 41000, 30000)),
		"not in the currency":   list(right.with(object{"currency": "eur", "currency_options": object{}})),
		"of another interval":   list(right.with(object{"recurring": object{"interval": "month", "interval_count": 1}})),
		"of many intervals":     list(right.with(object{"recurring": object{"interval": "year", "interval_count": 2}})),
		"paid once":             list(right.with(object{"recurring": nil})),
		"of another lookup key": list(right.with(object{"lookup_key": "standard_monthly"})),
	} {
		t.Run(name, func(t *testing.T) {
			s := shop(t, customer).on(lookUp, fine(c))
			err := buy(t, s.provider(), standard)
			assert.Equal(t, fault.Conflict, fault.CodeOf(err))
			assert.Contains(t, fault.MessageOf(err), "nothing was charged")
			assert.NotContains(t, s.routes(), subscribe)
			assert.Contains(t, s.log.String(), "standard_yearly")
			assert.Contains(t, s.log.String(), "level=ERROR")
		})
	}
}

func TestAPriceTheCatalogueLacksIsInvalid(t *testing.T) {
	s := shop(t, customer)
	for _, ref := range []catalogue.PriceRef{
		{Product: "no-such-plan", Interval: catalogue.Yearly, Currency: "AUD"},
		{Product: "enterprise", Interval: catalogue.Yearly, Currency: "AUD"},
		{Product: "standard", Interval: catalogue.Yearly, Currency: "JPY"},
	} {
		assert.Equal(t, fault.Invalid, fault.CodeOf(buy(t, s.provider(), ref)))
	}
	assert.NotContains(t, s.routes(), lookUp)
}

func TestAPriceThatDidNotFitIsLookedUpAgain(t *testing.T) {
	s := shop(t, customer).on(lookUp, fine(list()), fine(list(price("standard_yearly", 42000, 30000)))).on(subscribe, fine(active))
	p := s.provider()
	require.Error(t, buy(t, p, standard))
	require.NoError(t, buy(t, p, standard))
}

func TestAPriceThatStripeRefusedIsLookedUpAgain(t *testing.T) {
	s := shop(t, customer).on(subscribe, invalidRequest(object{"param": "items[0][price]"}), fine(active))
	p := s.provider()
	assert.Equal(t, fault.Conflict, fault.CodeOf(buy(t, p, standard)))
	require.NoError(t, buy(t, p, standard))
	assert.Equal(t, 2, s.count(lookUp))
}
