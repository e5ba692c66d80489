package catalogue_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

const unsupportedCurrency = "Currency must be one of USD, NZD, AUD, EUR, GBP"

func TestPrice_UnknownPriceIsNotFound(t *testing.T) {
	price, err := catalogue.Default().Price(ref("professional", "yearly", "aud"))
	require.NoError(t, err)
	assert.Equal(t, "AUD 816.00", price.String())

	for _, unknownPrice := range []catalogue.PriceRef{
		ref("enterprise", "yearly", "AUD"), ref("basic", "yearly", "AUD"),
		ref("standard", "weekly", "AUD"), ref("standard", "yearly", "JPY"), ref("standard", "yearly", ""), {},
	} {
		_, err := catalogue.Default().Price(unknownPrice)
		assert.Equal(t, fault.NotFound, fault.CodeOf(err), "%+v", unknownPrice)
	}
}

func TestCheckEnabled_ReportsInvalidFields(t *testing.T) {
	tests := []struct {
		name string
		ref  catalogue.PriceRef
		want []fault.Field
	}{
		{"enabled", ref("standard", "monthly", "GBP"), nil},
		{"enabled, code in lower case", ref("standard", "monthly", "gbp"), nil},
		{"unknown plan", ref("basic", "monthly", "GBP"), fields("priceId", "Unknown plan")},
		{"disabled plan", ref("multi-user", "monthly", "GBP"),
			fields("priceId", "Multi-User is not sold here, please contact us")},
		{"unknown interval", ref("standard", "Monthly", "GBP"), fields("interval", "Interval must be monthly or yearly")},
		{"unsupported currency", ref("standard", "monthly", "JPY"), fields("currency", unsupportedCurrency)},
		{"unknown currency", ref("standard", "monthly", "bitcoin"), fields("currency", unsupportedCurrency)},
		{"everything wrong", catalogue.PriceRef{}, fields("priceId", "Unknown plan",
			"interval", "Interval must be monthly or yearly", "currency", unsupportedCurrency)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, fault.FieldsOf(catalogue.Default().CheckEnabled(tt.ref)))
		})
	}
}

func TestResolvePrice_ReportsInvalidFields(t *testing.T) {
	price, err := catalogue.Default().ResolvePrice("professional_yearly", "yearly", "aud")
	require.NoError(t, err)
	assert.Equal(t, ref("professional", "yearly", "AUD"), price)

	tests := []struct {
		name, priceID, interval, currency string
		want                              []fault.Field
	}{
		{"no price", "", "yearly", "AUD", fields("priceId", "Unknown price")},
		{"unknown plan", "basic_yearly", "yearly", "AUD", fields("priceId", "Unknown plan")},
		{"another interval", "standard_monthly", "yearly", "AUD", fields("interval", "Interval does not belong to the price")},
		{"no interval", "standard_monthly", "", "AUD", fields("interval", "Interval must be monthly or yearly")},
		{"no currency", "standard_monthly", "monthly", "", fields("currency", unsupportedCurrency)},
		{"disabled", "enterprise_yearly", "yearly", "AUD", fields("priceId", "Enterprise is not sold here, please contact us")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			price, err := catalogue.Default().ResolvePrice(tt.priceID, tt.interval, tt.currency)
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.Equal(t, tt.want, fault.FieldsOf(err))
			assert.Zero(t, price)
		})
	}
}

func TestParsePriceID_ReversesPriceID(t *testing.T) {
	for _, plan := range catalogue.Default().Plans() {
		for _, interval := range catalogue.Intervals() {
			product, parsedInterval, err := catalogue.ParsePriceID(ref(plan.ID, interval, "AUD").PriceID())
			require.NoError(t, err)
			assert.Equal(t, plan.ID, product)
			assert.Equal(t, interval, parsedInterval)
		}
	}
}

func TestParsePriceID_RefusesInvalidIDs(t *testing.T) {
	for _, id := range []string{"", "_", "standard", "standard_", "_yearly", "standard_weekly", "Standard_yearly",
		"standard_yearly_", "standard__yearly", "a_b_yearly", "standard_yearly ", "standard yearly", "é_yearly"} {
		product, interval, err := catalogue.ParsePriceID(id)
		assert.Equal(t, fields("priceId", "Unknown price"), fault.FieldsOf(err), id)
		assert.Empty(t, product)
		assert.Empty(t, interval)
	}
}

func TestParseInterval_AcceptsExactNamesOnly(t *testing.T) {
	for _, interval := range []catalogue.Interval{catalogue.Monthly, catalogue.Yearly} {
		parsedInterval, err := catalogue.ParseInterval(string(interval))
		require.NoError(t, err)
		assert.Equal(t, interval, parsedInterval)
	}
	assert.Equal(t, []catalogue.Interval{"monthly", "yearly"}, catalogue.Intervals())
	for _, text := range []string{"", "Yearly", "yearly ", "weekly"} {
		_, err := catalogue.ParseInterval(text)
		assert.Equal(t, fields("interval", "Interval must be monthly or yearly"), fault.FieldsOf(err), text)
	}
}

// pricesInput contains a plan with its two prices in one currency, and the interval for which figures are computed.
type pricesInput struct {
	Product  string             `json:"product"`
	Interval catalogue.Interval `json:"interval"`
	Currency currency           `json:"currency"`
	Monthly  *int64             `json:"monthly"`
	Yearly   *int64             `json:"yearly"`
}

type currency struct {
	Code         string `json:"code"`
	NativeSymbol string `json:"nativeSymbol"`
	Digits       int    `json:"digits"`
	MinorDigits  int    `json:"minorDigits"`
	Rounding     int64  `json:"rounding"`
}

type figures struct {
	PriceID      string            `json:"priceId"`
	Amount       *int64            `json:"amount"`
	PerMonth     *int64            `json:"perMonth"`
	Annual       *int64            `json:"annual"`
	Formatted    *formattedFigures `json:"shown"`
	YearlySaving int               `json:"yearlySaving"`
}

type formattedFigures struct {
	Amount   string `json:"amount"`
	PerMonth string `json:"perMonth"`
	Annual   string `json:"annual"`
}

func (p pricesInput) ref() catalogue.PriceRef { return ref(p.Product, p.Interval, p.Currency.Code) }

func TestPrices_MatchTestVectors(t *testing.T) {
	domaintest.RunVectors(t, "prices", func(input pricesInput) figures {
		c, _ := money.ByCode(input.Currency.Code)
		require.Equal(t, currency{c.Code, c.NativeSymbol, c.Digits, c.MinorDigits, c.Rounding},
			input.Currency)
		return computeFigures(t, newCatalogue(t, input), input.ref())
	})
}

func TestPriceVectors_CoverDefaultCatalogue(t *testing.T) {
	want := map[catalogue.PriceRef]figures{}
	for _, c := range domaintest.LoadVectors[domaintest.Case[pricesInput, figures]](t, "prices") {
		want[c.In.ref()] = c.Want
	}
	for _, plan := range catalogue.Default().Plans() {
		for _, c := range catalogue.Default().Currencies() {
			for _, interval := range catalogue.Intervals() {
				ref := ref(plan.ID, interval, c.Code)
				assert.Equal(t, want[ref], computeFigures(t, catalogue.Default(), ref), "%+v", ref)
			}
		}
	}
}

func TestPerMonthAndPerYear_UnknownPriceIsNotFound(t *testing.T) {
	unknownPrice := ref("basic", "yearly", "AUD")
	_, perMonthErr := catalogue.Default().PerMonth(unknownPrice)
	_, annualErr := catalogue.Default().PerYear(unknownPrice)
	for _, err := range []error{perMonthErr, annualErr} {
		assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	}
}

// computeFigures returns the figures that the catalogue computes for a price.
func computeFigures(t *testing.T, c *catalogue.Catalogue, ref catalogue.PriceRef) figures {
	t.Helper()
	result := figures{PriceID: ref.PriceID(), YearlySaving: c.YearlySaving(ref.Product, ref.Currency)}
	amount, err := c.Price(ref)
	if fault.Is(err, fault.NotFound) {
		return result
	}
	require.NoError(t, err)
	perMonth, err := c.PerMonth(ref)
	require.NoError(t, err)
	annual, err := c.PerYear(ref)
	require.NoError(t, err)
	result.Amount, result.PerMonth, result.Annual = new(amount.Minor()), new(perMonth.Minor()), new(annual.Minor())
	result.Formatted = &formattedFigures{amount.FormatWithSymbol(), perMonth.FormatWithSymbol(), annual.FormatWithSymbol()}
	return result
}

// newCatalogue returns a catalogue of one plan and one currency. The plan is enabled when it has prices.
func newCatalogue(t *testing.T, input pricesInput) *catalogue.Catalogue {
	t.Helper()
	var data map[string]any
	require.NoError(t, json.Unmarshal([]byte(catalogueFile(t)), &data))
	plan := data["plans"].([]any)[0].(map[string]any)
	plan["id"], plan["disabled"] = input.Product, input.Monthly == nil
	data["plans"] = []any{plan}
	data["currencies"] = []string{input.Currency.Code}
	delete(data, "taxes")
	data["defaults"].(map[string]any)["currency"] = input.Currency.Code
	data["prices"] = map[string]any{input.Product: map[string]any{input.Currency.Code: map[string]any{
		"monthly": priceInFile(t, input.Monthly, input.Currency.Code), "yearly": priceInFile(t, input.Yearly, input.Currency.Code),
	}}}
	text, err := json.Marshal(data)
	require.NoError(t, err)
	c, err := catalogue.Parse(text)
	require.NoError(t, err)
	return c
}

// priceInFile returns an amount in minor units as the number that the file contains, which is in whole units.
func priceInFile(t *testing.T, minor *int64, code string) any {
	t.Helper()
	if minor == nil {
		return nil
	}
	amount, err := money.New(*minor, code)
	require.NoError(t, err)
	return json.Number(amount.String()[len("AUD "):])
}

// A resolved price has the given id and a positive amount in its currency.
func FuzzResolvePrice(f *testing.F) {
	f.Add("professional_yearly", "yearly", "aud")
	f.Add("professional_yearly", "monthly", "AUD")
	f.Add("enterprise_monthly", "monthly", "USD")
	f.Add("_", "", "\xff")
	f.Fuzz(func(t *testing.T, priceID, interval, currency string) {
		ref, err := catalogue.Default().ResolvePrice(priceID, interval, currency)
		if err != nil {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			return
		}
		assert.Equal(t, priceID, ref.PriceID())
		amount, err := catalogue.Default().Price(ref)
		assert.NoError(t, err)
		assert.Positive(t, amount.Minor())
		assert.Equal(t, ref.Currency, amount.Currency().Code)
	})
}

func ref(product string, interval catalogue.Interval, currency string) catalogue.PriceRef {
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: currency}
}

// fields returns the fields for alternating names and messages.
func fields(nameMessage ...string) []fault.Field {
	var list []fault.Field
	for i := 0; i < len(nameMessage); i += 2 {
		list = append(list, fault.Field{Name: nameMessage[i], Message: nameMessage[i+1]})
	}
	return list
}
