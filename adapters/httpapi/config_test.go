package httpapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/httpapi"
)

func TestConfig_ContainsCatalogueAndSettings(t *testing.T) {
	s := newTestServerWithSite(t, httpapi.Site{
		Payments: fakeProviderWeb, SalesEmail: "sales@vision.example", SalesPhone: "+61 2 5550 0100",
		LoginQuery: map[string]string{"strategy": "local"},
	})
	res := s.newBrowser(t).get("/vc-admin/diy/config.json")

	config := decodeJSON[struct {
		Catalogue struct {
			Plans []struct {
				ID           string
				Disabled     bool
				Capabilities map[string]any
			}
			Rows   []struct{ Name, Label string }
			Prices map[string]map[string]struct {
				Monthly, Yearly  *int64
				PerMonth, Annual struct{ Monthly, Yearly *int64 }
				YearlySaving     int
			}
		}
		Currencies []struct {
			Code         string
			SymbolNative string `json:"symbol_native"`
		}
		Defaults struct{ Currency, Interval, Country string }
		Provider struct {
			Kind, Entry  string
			Capabilities []string
		}
		LoginQuery map[string]string
	}](res)
	assert.Len(t, config.Catalogue.Plans, 4)
	assert.Len(t, config.Catalogue.Rows, 18)
	professional := config.Catalogue.Prices["professional"]["AUD"]
	assert.EqualValues(t, 81600, *professional.Yearly)
	assert.EqualValues(t, 6800, *professional.PerMonth.Yearly)
	assert.EqualValues(t, 91200, *professional.Annual.Monthly)
	assert.Equal(t, 10, professional.YearlySaving)
	assert.Nil(t, config.Catalogue.Prices["enterprise"]["AUD"].Yearly)
	assert.Nil(t, config.Catalogue.Prices["enterprise"]["AUD"].Annual.Monthly)
	assert.Equal(t, "60 minutes", config.Catalogue.Plans[0].Capabilities["maxDuration"])
	assert.Equal(t, true, config.Catalogue.Plans[0].Capabilities["lobbyGuest"])
	assert.Equal(t, "USD", config.Currencies[0].Code)
	assert.Equal(t, "AUD", config.Defaults.Currency)
	assert.Equal(t, "fake", config.Provider.Kind)
	assert.Equal(t, "card_field", config.Provider.Entry)
	assert.Contains(t, config.Provider.Capabilities, "quotes")
	assert.Equal(t, "local", config.LoginQuery["strategy"])
}
