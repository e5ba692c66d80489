package stripepayment_test

import (
	"context"
	"crypto/rand"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/catalogue/cataloguetest"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

func TestPush_ReplacedPriceKeepsItsPlan(t *testing.T) {
	f := newFakeStripe(t, nil)
	defaultProvider := f.provider(t, catalogue.Default())
	_, err := defaultProvider.Push(t.Context())
	require.NoError(t, err)
	oldSub, err := defaultProvider.Subscribe(t.Context(),
		subscribeRequest(f.newCustomerWithCard(t, defaultProvider), "professional"))
	require.NoError(t, err)

	updatedProvider := f.provider(t, cataloguetest.EditDefault(t, `"yearly": 816}`, `"yearly": 999}`))
	_, err = updatedProvider.Push(t.Context())
	require.NoError(t, err)

	newSub, err := updatedProvider.Subscribe(t.Context(),
		subscribeRequest(f.newCustomerWithCard(t, updatedProvider), "professional"))
	require.NoError(t, err)
	oldSub, err = updatedProvider.Subscription(t.Context(), oldSub.ID)
	require.NoError(t, err)
	assert.Equal(t, newSub.Price, oldSub.Price)
	assert.Equal(t, int64(81600), f.invoiceAmount(t, oldSub))
	assert.Equal(t, int64(99900), f.invoiceAmount(t, newSub))
}

func TestPush_QuotesUseTheNewPrices(t *testing.T) {
	f := newFakeStripe(t, nil)
	defaultProvider := f.provider(t, catalogue.Default())
	_, err := defaultProvider.Push(t.Context())
	require.NoError(t, err)
	c := f.newCustomerWithCard(t, defaultProvider)
	s, err := defaultProvider.Subscribe(t.Context(), subscribeRequest(c, "standard"))
	require.NoError(t, err)
	p := f.provider(t, cataloguetest.EditDefault(t, `"yearly": 420}`, `"yearly": 444}`, `"yearly": 816}`, `"yearly": 999}`))
	_, err = p.Push(t.Context())
	require.NoError(t, err)

	quote, err := p.QuoteSubscription(t.Context(), subscribeRequest(c, "professional"))
	require.NoError(t, err)
	assert.Equal(t, aud(99900), quote.DueNow)

	change := payment.PriceChange{Key: rand.Text(), SubscriptionID: s.ID, From: s.Price,
		To: yearlyPrice("professional")}
	quote, err = p.QuoteChange(t.Context(), change)
	require.NoError(t, err)
	change.At = quote.At
	s, err = p.ChangePlan(t.Context(), change)
	require.NoError(t, err)
	assert.Equal(t, aud(99900-42000), quote.DueNow, "the earlier price was paid")
	assert.Equal(t, quote.DueNow, s.LatestInvoice.AmountDue)
}

func TestPush_PriceCreatedByHandKeepsItsPlan(t *testing.T) {
	f := newFakeStripe(t, catalogue.Default()) // its prices have lookup keys only
	defaultProvider := f.provider(t, catalogue.Default())
	sub, err := defaultProvider.Subscribe(t.Context(), subscribeRequest(f.newCustomerWithCard(t, defaultProvider), "standard"))
	require.NoError(t, err)
	change := payment.PriceChange{Key: rand.Text(), SubscriptionID: sub.ID, From: sub.Price, To: yearlyPrice("professional")}
	_, err = defaultProvider.ChangePlan(t.Context(), change)
	require.NoError(t, err)

	updatedProvider := f.provider(t, cataloguetest.EditDefault(t, `"yearly": 816}`, `"yearly": 999}`))
	_, err = updatedProvider.Push(t.Context())
	require.NoError(t, err)

	sub, err = updatedProvider.Subscription(t.Context(), sub.ID)
	require.NoError(t, err)
	assert.Equal(t, yearlyPrice("professional"), sub.Price)
	quote, err := updatedProvider.QuoteChange(t.Context(),
		payment.PriceChange{SubscriptionID: sub.ID, From: sub.Price, To: yearlyPrice("standard")})
	require.NoError(t, err)
	assert.Equal(t, "Unused time on Professional", quote.Lines[0].Description)
}

func TestQuoteSubscription_IsRefusedWithAnEarlierCatalogueAfterAPush(t *testing.T) {
	f := newFakeStripe(t, nil)
	defaultProvider := f.provider(t, catalogue.Default())
	_, err := defaultProvider.Push(t.Context())
	require.NoError(t, err)
	req := subscribeRequest(f.newCustomerWithCard(t, defaultProvider), "professional")
	_, err = defaultProvider.QuoteSubscription(t.Context(), req)
	require.NoError(t, err)
	_, err = f.provider(t, cataloguetest.EditDefault(t, `"yearly": 816}`, `"yearly": 999}`)).Push(t.Context())
	require.NoError(t, err)

	_, err = defaultProvider.QuoteSubscription(t.Context(), req)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err), "the cached price is outdated")
	_, err = defaultProvider.QuoteSubscription(t.Context(), req)
	assert.Contains(t, fault.MessageOf(err), "This plan can't be bought at the moment")
}

func TestSubscribe_UsesThePricesThatCheckHasRead(t *testing.T) {
	s := stubWithCustomerAndPrices(t, customer).respond(subscribeRoute, okResponse(activeSubscription))
	p := s.provider()
	_, err := p.Check(t.Context())
	require.NoError(t, err)
	require.NoError(t, subscribeTo(t, p, standard))
	assert.Equal(t, 1, s.count(lookUpPricesRoute))
}

func diffTexts(diffs []plugin.PriceDiff) []string {
	var texts []string
	for _, d := range diffs {
		texts = append(texts, d.String())
	}
	return texts
}

func TestPush_CreatesTheCatalogueOnce(t *testing.T) {
	f := newFakeStripe(t, nil)
	p := f.provider(t, catalogue.Default())
	diffs, err := p.Diff(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{
		"tax_nzd is missing", "tax_aud is missing", "tax_eur is missing", "tax_gbp is missing", "standard has no product",
		"professional has no product",
		"standard_monthly is missing", "standard_yearly is missing", "professional_monthly is missing",
		"professional_yearly is missing",
	}, diffTexts(diffs))
	assert.Zero(t, f.executedWrites(), "Diff changes nothing")

	pushedDiffs, err := p.Push(t.Context())
	require.NoError(t, err)
	assert.Equal(t, diffs, pushedDiffs)
	assert.Equal(t, 10, f.executedWrites())
	for _, operation := range []func(context.Context) ([]plugin.PriceDiff, error){p.Push, p.Diff, p.Check} {
		diffs, err := operation(t.Context())
		require.NoError(t, err)
		assert.Empty(t, diffs)
	}
	assert.Equal(t, 10, f.executedWrites())

	product := f.mustGet(t, "/v1/products/diy_standard")
	assert.Equal(t, "standard", product["name"])
	assert.Equal(t, map[string]any{"plan": "standard"}, product["metadata"])
	priceObject := f.price(t, "standard_yearly")
	assert.Equal(t, "aud", priceObject["currency"], "the default currency is the price's own")
	assert.InDelta(t, 42000, priceObject["unit_amount"], 0)
	assert.Equal(t, map[string]any{"price_id": "standard_yearly"}, priceObject["metadata"])
	options := priceObject["currency_options"].(map[string]any)
	assert.Len(t, options, 5)
	assert.InDelta(t, 24000, options["gbp"].(map[string]any)["unit_amount"], 0)
}

func TestPush_ChangedAmountBecomesANewPrice(t *testing.T) {
	f := newFakeStripe(t, nil)
	_, err := f.provider(t, catalogue.Default()).Push(t.Context())
	require.NoError(t, err)
	oldPriceID := f.price(t, "standard_yearly")["id"].(string)
	p := f.provider(t, cataloguetest.EditDefault(t, `"yearly": 420}`, `"yearly": 444}`))

	pushedDiffs, err := p.Push(t.Context())

	require.NoError(t, err)
	assert.Equal(t, []string{"standard_yearly costs AUD 42000 instead of 44400, in the units stripe counts"},
		diffTexts(pushedDiffs))
	assert.InDelta(t, 44400, f.price(t, "standard_yearly")["unit_amount"], 0)
	archivedPrice := f.mustGet(t, "/v1/prices/"+oldPriceID)
	assert.InDelta(t, 42000, archivedPrice["unit_amount"], 0, "subscriptions keep the earlier price")
	assert.Equal(t, false, archivedPrice["active"])
	diffs, err := p.Diff(t.Context())
	require.NoError(t, err)
	assert.Empty(t, diffs)
}

func TestPush_CorrectsEveryDifference(t *testing.T) {
	yearlyParams := func(pairs ...string) url.Values {
		params := url.Values{
			"product": {"diy_standard"}, "lookup_key": {"standard_yearly"}, "transfer_lookup_key": {"true"},
			"currency": {"aud"}, "unit_amount": {"42000"}, "recurring[interval]": {"year"},
			"currency_options[usd][unit_amount]": {"30000"}, "currency_options[eur][unit_amount]": {"27600"},
			"currency_options[gbp][unit_amount]": {"24000"}, "currency_options[nzd][unit_amount]": {"45600"},
		}
		for i := 0; i < len(pairs); i += 2 {
			params.Set(pairs[i], pairs[i+1])
			if pairs[i+1] == "" {
				params.Del(pairs[i])
			}
		}
		return params
	}
	for name, c := range map[string]struct {
		path   string // {price} is the id of the yearly price
		params url.Values
		want   string
	}{
		"amount in one currency": {"/v1/prices", yearlyParams("currency_options[usd][unit_amount]", "1"),
			"standard_yearly costs USD 1 instead of 30000, in the units stripe counts"},
		"missing currency": {"/v1/prices", yearlyParams("currency_options[usd][unit_amount]", ""),
			"standard_yearly has no amount in USD"},
		"interval": {"/v1/prices", yearlyParams("recurring[interval]", "month"),
			"standard_yearly is not paid yearly"},
		"archived price": {"/v1/prices/{price}", url.Values{"active": {"false"}}, "standard_yearly is archived"},
		"product name": {"/v1/products/diy_standard", url.Values{"name": {"Basic"}},
			"standard has a product with another name or description, or an archived one"},
		"replaced price that is not archived": {"/v1/prices",
			yearlyParams("lookup_key", "", "metadata[price_id]", "standard_yearly"),
			"standard_yearly was replaced, and price_"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFakeStripe(t, nil)
			p := f.provider(t, catalogue.Default())
			_, err := p.Push(t.Context())
			require.NoError(t, err)
			oldPriceID := f.price(t, "standard_yearly")["id"].(string)
			f.mustPost(t, strings.Replace(c.path, "{price}", oldPriceID, 1), c.params)
			if c.params.Get("lookup_key") != "" {
				f.mustPost(t, "/v1/prices/"+oldPriceID, url.Values{"active": {"false"}})
			}

			pushedDiffs, err := p.Push(t.Context())

			require.NoError(t, err)
			require.Len(t, pushedDiffs, 1)
			assert.Contains(t, pushedDiffs[0].String(), c.want)
			diffs, err := p.Diff(t.Context())
			require.NoError(t, err)
			assert.Empty(t, diffs)
		})
	}
}

func TestPush_CompletesAnInterruptedPush(t *testing.T) {
	for writes := range 4 {
		f := newFakeStripe(t, nil)
		_, err := f.provider(t, cataloguetest.EditDefault(t, `"yearly": 816}`, `"yearly": 999}`)).Push(t.Context())
		require.NoError(t, err)
		p := f.provider(t, cataloguetest.EditDefault(t, `"yearly": 420}`, `"yearly": 444}`))

		f.failWritesAfter(writes)
		pushedDiffs, err := p.Push(t.Context())
		assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "two prices are replaced, with two writes each")
		assert.Len(t, pushedDiffs, writes/2)

		f.allowAllWrites()
		_, err = p.Push(t.Context())
		require.NoError(t, err)
		diffs, err := p.Diff(t.Context())
		require.NoError(t, err)
		assert.Empty(t, diffTexts(diffs))
	}
}

func TestPush_KeepsTheNameOfAProductCreatedByHand(t *testing.T) {
	f := newFakeStripe(t, nil)
	f.mustPost(t, "/v1/products", url.Values{"id": {"prod_hand"}, "name": {"Vision Standard"}})
	f.mustPost(t, "/v1/prices", url.Values{
		"product": {"prod_hand"}, "lookup_key": {"standard_yearly"}, "currency": {"aud"}, "unit_amount": {"1"},
		"recurring[interval]": {"year"},
	})

	_, err := f.provider(t, catalogue.Default()).Push(t.Context())

	require.NoError(t, err)
	assert.Equal(t, "Vision Standard", f.mustGet(t, "/v1/products/prod_hand")["name"])
	assert.Equal(t, "prod_hand", f.price(t, "standard_yearly")["product"], "new prices of the plan use the same product")
	assert.Equal(t, "prod_hand", f.price(t, "standard_monthly")["product"])
}
