package billing_test

import (
	"testing"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/domaintest"
)

// wireLicense is a license as the web app receives it, cut to what decides.
type wireLicense struct {
	Interval catalogue.Interval `json:"interval"`
	Currency string             `json:"currency"`
	IsDev    bool               `json:"isDev"`
	Raw      struct {
		Status   billing.Status `json:"status"`
		Metadata struct {
			Name     string             `json:"name"`
			Interval catalogue.Interval `json:"interval"`
		} `json:"metadata"`
	} `json:"raw"`
}

func (w *wireLicense) domain() *billing.License {
	if w == nil {
		return nil
	}
	return &billing.License{
		Price: price(w.Raw.Metadata.Name, w.Interval, w.Currency), Status: w.Raw.Status, IsDev: w.IsDev,
	}
}

type modeIn struct {
	Loading     bool         `json:"loading"`
	Debug       bool         `json:"debug"`
	Live        bool         `json:"live"`
	License     *wireLicense `json:"license"`
	PastLicense *wireLicense `json:"pastLicense"`
	Customer    *struct {
		Currency string `json:"currency"`
		Metadata struct {
			Currency string `json:"currency"`
		} `json:"metadata"`
	} `json:"customer"`
}

type modeWant struct {
	Mode     billing.Mode       `json:"mode"`
	Interval catalogue.Interval `json:"interval"`
	Currency string             `json:"currency"`
	Locked   bool               `json:"locked"`
}

func TestModeAndPreset(t *testing.T) {
	sold := []string{"USD", "NZD", "AUD", "EUR", "GBP"}
	fallback := billing.Preset{Interval: catalogue.Yearly, Currency: "AUD"}
	domaintest.Run(t, "mode", func(in modeIn) modeWant {
		preset := billing.PresetOf(in.domain(), sold, fallback)
		return modeWant{billing.ModeOf(in.domain()), preset.Interval, preset.Currency, preset.Locked}
	})
}

func (in modeIn) domain() billing.ModeInput {
	out := billing.ModeInput{
		Loading: in.Loading, Debug: in.Debug, Live: in.Live,
		License: in.License.domain(), PastLicense: in.PastLicense.domain(),
	}
	if in.Customer != nil {
		out.Currency, out.Preferred = in.Customer.Currency, in.Customer.Metadata.Currency
	}
	return out
}
