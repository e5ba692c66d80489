package catalogue

import (
	"slices"

	"github.com/vc-admin/diy/domain/catalogue/internal/strictjson"
	"github.com/vc-admin/diy/domain/country"
	"github.com/vc-admin/diy/domain/money"
)

// readCurrencies reads the codes of the supported currencies; there must be one at least.
func readCurrencies(n strictjson.Node) []money.Currency {
	var currencies []money.Currency
	for _, item := range n.Items() {
		currency, known := readCurrency(item, item.Text())
		if known && slices.Contains(currencies, currency) {
			item.Problem("%s is listed twice", currency.Code)
			continue
		}
		if known {
			currencies = append(currencies, currency)
		}
	}
	if n.IsList() && len(n.Items()) == 0 {
		n.Problem("must name a currency at least")
	}
	return currencies
}

// readCurrency finds the currency of a code that must be in upper case.
func readCurrency(n strictjson.Node, code string) (money.Currency, bool) {
	currency, known := money.ByCode(code)
	if code != "" && (!known || currency.Code != code) {
		n.Problem("%q is not the upper-case code of a known currency", code)
		return money.Currency{}, false
	}
	return currency, known
}

func (c *Catalogue) readDefaults(n strictjson.Node) {
	o := n.Object("currency", "interval", "country")
	c.defaultCurrency = c.readDefaultCurrency(o.Get("currency"))
	c.defaultInterval = readInterval(o.Get("interval"))
	c.defaultCountry = readCountry(o.Get("country"))
}

func (c *Catalogue) readDefaultCurrency(n strictjson.Node) string {
	code := n.Text()
	if code != "" && !c.lists(code) {
		n.Problem("%q is not among the currencies", code)
	}
	return code
}

// lists is Supports for a code that must be in upper case.
func (c *Catalogue) lists(code string) bool {
	return slices.ContainsFunc(c.currencies, func(m money.Currency) bool { return m.Code == code })
}

func readInterval(n strictjson.Node) Interval {
	text := n.Text()
	interval, err := ParseInterval(text)
	if err != nil && text != "" {
		n.Problem("%q is neither monthly nor yearly", text)
	}
	return interval
}

func readCountry(n strictjson.Node) string {
	code := n.Text()
	if code != "" && !country.Known(code) {
		n.Problem("%q is not the upper-case alpha-2 code of a country", code)
	}
	return code
}
