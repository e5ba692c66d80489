package httpapi

import (
	_ "embed" // openapi.yaml
	"encoding/json"
	"maps"
	"net/http"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
)

// OpenAPI is the description of the wire.
//
//go:embed openapi.yaml
var OpenAPI []byte

func (a *api) showConfig(w http.ResponseWriter, r *http.Request) error {
	a.XSRF.Ensure(w, r)
	a.config.serve(w, r)
	return nil
}

func (a *api) showOpenAPI(w http.ResponseWriter, r *http.Request) error {
	a.wire.serve(w, r)
	return nil
}

type configWire struct {
	Catalogue  catalogueWire     `json:"catalogue"`
	Currencies []currencyWire    `json:"currencies"`
	Defaults   defaultsWire      `json:"defaults"`
	Provider   providerWire      `json:"provider"`
	Contact    contactWire       `json:"contact"`
	Branding   Branding          `json:"branding"`
	Live       bool              `json:"live"`
	LoginQuery map[string]string `json:"loginQuery"`
}

type defaultsWire struct {
	Currency string             `json:"currency"`
	Interval catalogue.Interval `json:"interval"`
	Country  string             `json:"country"`
}

type providerWire struct {
	Kind           string `json:"kind"`
	PublishableKey string `json:"publishableKey,omitempty"`
}

type contactWire struct {
	Email string `json:"email"`
	Phone string `json:"phone"`
}

type currencyWire struct {
	Code          string `json:"code"`
	Name          string `json:"name"`
	NamePlural    string `json:"name_plural"`
	Symbol        string `json:"symbol"`
	SymbolNative  string `json:"symbol_native"`
	DecimalDigits int    `json:"decimal_digits"`
	MinorDigits   int    `json:"minor_digits"`
	Rounding      int64  `json:"rounding"`
}

func newConfigDocument(o Options) (document, error) {
	loginQuery := map[string]string{} // on the wire an empty one is {}
	maps.Copy(loginQuery, o.Site.LoginQuery)
	body, err := json.Marshal(configWire{
		Catalogue:  toCatalogueWire(o.Catalogue),
		Currencies: mapEach(o.Catalogue.Currencies(), toCurrencyWire),
		Defaults: defaultsWire{
			Currency: o.Catalogue.DefaultCurrency(), Interval: o.Catalogue.DefaultInterval(), Country: o.Catalogue.DefaultCountry(),
		},
		Provider:   providerWire{Kind: o.Site.Payments.Name, PublishableKey: o.Site.Payments.PublishableKey},
		Contact:    contactWire{Email: o.Site.SalesEmail, Phone: o.Site.SalesPhone},
		Branding:   o.Site.Branding.complete(),
		Live:       o.Site.Live,
		LoginQuery: loginQuery,
	})
	return newDocument("application/json", body), err
}

func toCurrencyWire(c money.Currency) currencyWire {
	return currencyWire{
		Code: c.Code, Name: c.Name, NamePlural: c.NamePlural, Symbol: c.Symbol, SymbolNative: c.NativeSymbol,
		DecimalDigits: c.Digits, MinorDigits: c.MinorDigits, Rounding: c.Rounding,
	}
}

// mapEach converts a list; an empty one stays a list on the wire and never becomes null.
func mapEach[A, B any](list []A, convert func(A) B) []B {
	out := make([]B, 0, len(list))
	for _, item := range list {
		out = append(out, convert(item))
	}
	return out
}
