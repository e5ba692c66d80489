package stripepayment_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// changed is the embedded catalogue with some of its text replaced.
func changed(t *testing.T, pairs ...string) *catalogue.Catalogue {
	t.Helper()
	text, err := os.ReadFile("../../domain/catalogue/data/catalogue.json")
	require.NoError(t, err)
	c, err := catalogue.Parse([]byte(strings.NewReplacer(pairs...).Replace(string(text))))
	require.NoError(t, err)
	return c
}

func sentences(drifts []plugin.PriceDiff) []string {
	var out []string
	for _, d := range drifts {
		out = append(out, d.String())
	}
	return out
}

func TestAnEmptyStripeLacksEverything(t *testing.T) {
	m := newMarket(t)
	drifts, err := m.provider(catalogue.Default()).Diff(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{
		"standard has no product", "professional has no product",
		"standard_monthly is missing", "standard_yearly is missing", "professional_monthly is missing", "professional_yearly is missing",
	}, sentences(drifts))
	assert.Empty(t, m.writes, "looking changes nothing")
}

func TestAPushMakesTheCatalogueAndASecondOneNothing(t *testing.T) {
	m := newMarket(t)
	p := m.provider(catalogue.Default())

	mended, err := p.Push(t.Context())
	require.NoError(t, err)
	assert.Len(t, mended, 6)
	assert.Len(t, m.writes, 6)

	drifts, err := p.Diff(t.Context())
	require.NoError(t, err)
	assert.Empty(t, drifts)
	mended, err = p.Push(t.Context())
	require.NoError(t, err)
	assert.Empty(t, mended)
	assert.Len(t, m.writes, 6)
}

func TestWhatAPushMakes(t *testing.T) {
	m := newMarket(t)
	_, err := m.provider(catalogue.Default()).Push(t.Context())
	require.NoError(t, err)

	product := find(m.products, "diy_standard")
	assert.Equal(t, "standard", product["name"])
	assert.Equal(t, object{"plan": "standard"}, product["metadata"])
	made := m.prices[1]
	assert.Equal(t, "standard_yearly", made["lookup_key"])
	assert.Equal(t, "aud", made["currency"], "the default currency is the price's own")
	assert.Equal(t, 42000, made["unit_amount"])
	assert.Len(t, made["currency_options"], 4)
	assert.Equal(t, object{"unit_amount": 24000}, made["currency_options"].(object)["gbp"])
	assert.Equal(t, object{"price_id": "standard_yearly"}, made["metadata"])
	assert.Equal(t, object{"interval": "year", "interval_count": 1}, made["recurring"])
}

func TestANewAmountIsANewPriceThatTakesTheKeyOver(t *testing.T) {
	m := newMarket(t)
	_, err := m.provider(catalogue.Default()).Push(t.Context())
	require.NoError(t, err)
	p := m.provider(changed(t, `"yearly": 420}`, `"yearly": 444}`))

	drifts, err := p.Diff(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{"standard_yearly costs AUD 42000 instead of 44400, in the units stripe counts"}, sentences(drifts))
	mended, err := p.Push(t.Context())
	require.NoError(t, err)
	assert.Equal(t, drifts, mended)

	assert.Equal(t, []string{"POST /v1/prices", "POST /v1/prices/price_1"}, m.writes[6:])
	assert.Equal(t, 42000, m.prices[1]["unit_amount"], "whoever pays it goes on paying it")
	assert.Equal(t, false, m.prices[1]["active"])
	assert.Equal(t, "standard_yearly", m.prices[4]["lookup_key"])
	drifts, err = p.Diff(t.Context())
	require.NoError(t, err)
	assert.Empty(t, drifts)
}

func TestEveryKindOfDriftIsMended(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(m *market)
		want  []string
	}{
		"an amount in one currency": {
			func(m *market) { m.prices[1]["currency_options"].(object)["usd"] = object{"unit_amount": 1} },
			[]string{"standard_yearly costs USD 1 instead of 30000, in the units stripe counts"},
		},
		"a currency that is missing": {
			func(m *market) { delete(m.prices[1]["currency_options"].(object), "usd") },
			[]string{"standard_yearly has no amount in USD"},
		},
		"another interval": {
			func(m *market) { m.prices[1]["recurring"] = object{"interval": "day", "interval_count": 1} },
			[]string{"standard_yearly is not paid yearly"},
		},
		"an archived price": {func(m *market) { m.prices[1]["active"] = false }, []string{"standard_yearly is archived"}},
		"another name": {
			func(m *market) { m.products[0]["name"] = "Basic" },
			[]string{"standard has a product with another name or description, or an archived one"},
		},
		"a replaced price that is not archived": {
			func(m *market) {
				m.prices = append(m.prices, m.prices[1].with(object{"id": "price_x", "lookup_key": nil}))
			},
			[]string{"standard_yearly was replaced, and price_x is not archived yet"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMarket(t)
			p := m.provider(catalogue.Default())
			_, err := p.Push(t.Context())
			require.NoError(t, err)
			c.spoil(m)

			mended, err := p.Push(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.want, sentences(mended))
			drifts, err := p.Diff(t.Context())
			require.NoError(t, err)
			assert.Empty(t, sentences(drifts))
		})
	}
}

func TestAPushThatWasCutOffIsFinishedByTheNext(t *testing.T) {
	for writes := range 4 {
		m := newMarket(t)
		_, err := m.provider(changed(t, `"yearly": 816}`, `"yearly": 999}`)).Push(t.Context())
		require.NoError(t, err)
		p := m.provider(changed(t, `"yearly": 420}`, `"yearly": 444}`))

		m.failAfter = len(m.writes) + writes
		mended, err := p.Push(t.Context())
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "both yearly prices are new, which is four writes")
		assert.Len(t, mended, writes/2)

		m.failAfter = 0
		_, err = p.Push(t.Context())
		require.NoError(t, err)
		drifts, err := p.Diff(t.Context())
		require.NoError(t, err)
		assert.Empty(t, sentences(drifts))
	}
}

func TestAProductThatSomebodyMadeKeepsItsName(t *testing.T) {
	m := newMarket(t)
	m.products = []object{{"id": "prod_hand", "object": "product", "active": true, "name": "Vision Standard", "metadata": object{}}}
	m.prices = []object{price("standard_yearly", 1, 1).with(object{"id": "price_0", "product": "prod_hand"})}

	_, err := m.provider(catalogue.Default()).Push(t.Context())

	require.NoError(t, err)
	assert.Equal(t, "Vision Standard", m.products[0]["name"])
	assert.Len(t, m.products, 2, "one for the other plan")
	assert.Equal(t, "prod_hand", m.prices[1]["product"], "new prices of the plan are of the same product")
}

func TestACheckTellsWhichPricesDiffer(t *testing.T) {
	m := newMarket(t)
	p := m.provider(catalogue.Default())
	drifts, err := p.Check(t.Context())
	require.NoError(t, err)
	assert.Len(t, drifts, 4)

	_, err = p.Push(t.Context())
	require.NoError(t, err)
	drifts, err = p.Check(t.Context())
	require.NoError(t, err)
	assert.Empty(t, drifts)
}

func TestACheckWithAKeyThatDoesNotWork(t *testing.T) {
	s := newScript(t).on(lookUp, refusal(401, object{"type": "invalid_request_error"}))
	_, err := s.provider().Check(t.Context())
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.Contains(t, fault.MessageOf(err), "does not let us in")
}

func TestAfterACheckNoPriceHasToBeLookedUp(t *testing.T) {
	s := shop(t, customer).on(subscribe, fine(active))
	p := s.provider()
	_, err := p.Check(t.Context())
	require.NoError(t, err)
	require.NoError(t, buy(t, p, standard))
	assert.Equal(t, 1, s.count(lookUp))
}
