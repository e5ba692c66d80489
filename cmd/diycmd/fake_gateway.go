package diycmd

import (
	"io/fs"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// fakeGatewayIntegration is the integration of the fake gateway, which is for development: enginepayment bills, and the
// gateway charges test cards. The gateway forgets its cards and payments when the process ends.
type fakeGatewayIntegration struct{ pluginIntegration }

func (i fakeGatewayIntegration) options(c config) fx.Option {
	return fx.Options(i.pluginIntegration.options(c), fx.Provide(provideDevRoutes(c, fakeGatewayRoutes)))
}

// fakeGatewayRoutes serves the API that the fake card field calls.
func fakeGatewayRoutes(provider payment.Provider) func(chi.Router) {
	return func(r chi.Router) {
		if gateway, ok := fakeGatewayOf(provider); ok {
			r.Mount("/dev/payments", http.StripPrefix("/dev/payments", gateway.Browser()))
		}
	}
}

func fakeGatewayOf(provider payment.Provider) (*fakegateway.Provider, bool) {
	engine, ok := provider.(*enginepayment.Provider)
	if !ok {
		return nil, false
	}
	gateway, ok := engine.Gateway.(*fakegateway.Gateway)
	if !ok {
		return nil, false
	}
	return gateway.Provider(), true
}

// fakeGatewayAdapter is the plugin.Adapter of the fake gateway.
type fakeGatewayAdapter struct{}

// SettingNames implements plugin.Adapter.
func (fakeGatewayAdapter) SettingNames() []string { return nil }

// Check implements plugin.Adapter.
func (fakeGatewayAdapter) Check(s plugin.Settings) []string {
	if s.Production {
		return []string{"charges nothing and is for development only"}
	}
	return nil
}

// Open implements plugin.Adapter.
func (fakeGatewayAdapter) Open(_ plugin.Settings, d plugin.Dependencies) (payment.Provider, error) {
	if d.Database == nil {
		return nil, fault.New(fault.Unsupported, "The fake gateway has no price list.")
	}
	gateway := fakegateway.New(fakegateway.Config{
		Clock: d.Clock, Entry: payment.EntryCardField, KeyRetention: 30 * 24 * time.Hour,
	})
	return enginepayment.New(enginepayment.Config{
		Gateway: gateway.Gateway(nil), Database: d.Database, Clock: d.Clock, Catalogue: d.Catalogue, Log: d.Log,
		Seller: invoicepdf.Party{Brand: d.Brand}, NumberPrefix: "FG-", ReturnTo: d.PublicURL + "/vc-admin/dash",
	})
}

// Web implements plugin.Adapter.
func (fakeGatewayAdapter) Web(plugin.Settings) plugin.WebConfig {
	return plugin.WebConfig{WebhookPath: "fakegateway"}
}

// Migrations implements plugin.Tables.
func (fakeGatewayAdapter) Migrations() fs.FS { return enginepayment.Migrations() }
