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

// priced is a plan with its two prices in one currency, and the one of them that is asked for.
type priced struct {
	Product         string             `json:"product"`
	Interval        catalogue.Interval `json:"interval"`
	Currency        currency           `json:"currency"`
	Monthly         *int64             `json:"monthly"`
	Yearly          *int64             `json:"yearly"`
	TrialPeriodDays int                `json:"trialPeriodDays"`
}

type currency struct {
	Code         string `json:"code"`
	NativeSymbol string `json:"nativeSymbol"`
	Digits       int    `json:"digits"`
	MinorDigits  int    `json:"minorDigits"`
	Rounding     int64  `json:"rounding"`
}

type figures struct {
	PriceID  string  `json:"priceId"`
	Amount   *int64  `json:"amount"`
	PerMonth *int64  `json:"perMonth"`
	Annual   *int64  `json:"annual"`
	Shown    *shown  `json:"shown"`
	Note     *string `json:"note"`
}

type shown struct {
	Amount   string `json:"amount"`
	PerMonth string `json:"perMonth"`
	Annual   string `json:"annual"`
}

func (p priced) ref() catalogue.PriceRef { return ref(p.Product, p.Interval, p.Currency.Code) }

func TestPricesVectors(t *testing.T) {
	domaintest.Run(t, "prices", func(in priced) figures {
		known, _ := money.ByCode(in.Currency.Code)
		require.Equal(t, currency{known.Code, known.NativeSymbol, known.Digits, known.MinorDigits, known.Rounding}, in.Currency)
		return figuresOf(t, replacement(t, in), in.ref())
	})
}

func TestPricesVectorsHoldTheWholeDefaultTable(t *testing.T) {
	held := map[catalogue.PriceRef]figures{}
	for _, c := range domaintest.Load[domaintest.Case[priced, figures]](t, "prices") {
		held[c.In.ref()] = c.Want
	}
	for _, plan := range catalogue.Default().Plans() {
		for _, c := range catalogue.Default().Currencies() {
			for _, interval := range catalogue.Intervals() {
				ref := ref(plan.ID, interval, c.Code)
				assert.Equal(t, held[ref], figuresOf(t, catalogue.Default(), ref), "%+v", ref)
			}
		}
	}
}

func TestFiguresOfAnUnknownPriceAreNotFound(t *testing.T) {
	unknown := ref("basic", "yearly", "AUD")
	_, perMonth := catalogue.Default().PerMonth(unknown)
	_, annual := catalogue.Default().Annual(unknown)
	_, note := catalogue.Default().Note(unknown)
	for _, err := range []error{perMonth, annual, note} {
		assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	}
}

// figuresOf asks the catalogue for all it shows of one price.
func figuresOf(t *testing.T, c *catalogue.Catalogue, ref catalogue.PriceRef) figures {
	t.Helper()
	got := figures{PriceID: ref.PriceID()}
	amount, err := c.Price(ref)
	if fault.Is(err, fault.NotFound) {
		return got
	}
	require.NoError(t, err)
	perMonth, err := c.PerMonth(ref)
	require.NoError(t, err)
	annual, err := c.Annual(ref)
	require.NoError(t, err)
	note, err := c.Note(ref)
	require.NoError(t, err)
	got.Amount, got.PerMonth, got.Annual = new(amount.Minor()), new(perMonth.Minor()), new(annual.Minor())
	got.Shown = &shown{amount.FormatWithSymbol(), perMonth.FormatWithSymbol(), annual.FormatWithSymbol()}
	got.Note = &note
	return got
}

// replacement is a catalogue of one plan and one currency. The plan is enabled when it has prices.
func replacement(t *testing.T, in priced) *catalogue.Catalogue {
	t.Helper()
	var data map[string]any
	require.NoError(t, json.Unmarshal([]byte(file(t)), &data))
	plan := data["plans"].([]any)[0].(map[string]any)
	plan["id"], plan["trialPeriodDays"], plan["disabled"] = in.Product, in.TrialPeriodDays, in.Monthly == nil
	data["plans"] = []any{plan}
	data["currencies"] = []string{in.Currency.Code}
	data["defaults"].(map[string]any)["currency"] = in.Currency.Code
	data["prices"] = map[string]any{in.Product: map[string]any{in.Currency.Code: map[string]any{
		"monthly": number(t, in.Monthly, in.Currency.Code), "yearly": number(t, in.Yearly, in.Currency.Code),
	}}}
	text, err := json.Marshal(data)
	require.NoError(t, err)
	c, err := catalogue.Parse(text)
	require.NoError(t, err)
	return c
}

// number writes minor units as the file does, in whole units.
func number(t *testing.T, minor *int64, code string) any {
	t.Helper()
	if minor == nil {
		return nil
	}
	amount, err := money.New(*minor, code)
	require.NoError(t, err)
	return json.Number(amount.String()[len("AUD "):])
}
