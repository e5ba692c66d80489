package diycmd

import (
	"io/fs"
	"log/slog"
	"net/http"

	"github.com/go-chi/chi/v5"
	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/enginepayment"
	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// fakeGatewayIntegration is the integration of the fake gateway, which is for development: enginepayment bills, and the
// gateway charges test cards and test bank accounts. The gateway keeps its state in a file beside the database.
type fakeGatewayIntegration struct{}

// plugin returns the integration of an adapter with the file.
func (fakeGatewayIntegration) plugin(c config) pluginIntegration {
	return pluginIntegration{fakeGatewayAdapter{path: c.devFile("gateway")}}
}

func (fakeGatewayIntegration) settingNames() []string { return nil }

func (fakeGatewayIntegration) checkSettings(c config, problems *configError) {
	if c.isProduction() {
		problems.add("DIY_PAYMENTS=fakegateway charges nothing and is for development only")
	}
}

func (i fakeGatewayIntegration) webConfig(c config) plugin.WebConfig { return i.plugin(c).webConfig(c) }

func (fakeGatewayIntegration) priceSync(config) (plugin.PriceSync, error) { return nil, nil }

func (fakeGatewayIntegration) tables() plugin.Tables { return fakeGatewayAdapter{} }

func (i fakeGatewayIntegration) open(
	c config, clock clock.Clock, log *slog.Logger, database plugin.Database,
) (payment.Provider, stopFunc, error) {
	return i.plugin(c).open(c, clock, log, database)
}

func (i fakeGatewayIntegration) options(c config) fx.Option {
	return fx.Options(i.plugin(c).options(c), fx.Provide(provideDevRoutes(c, fakeGatewayRoutes),
		newGatewayDisputeHandler, provideDevRoutes(c, disputeRoutes)))
}

// fakeGatewayRoutes serves the API that the fake card field calls.
func fakeGatewayRoutes(provider payment.Provider) func(chi.Router) {
	return func(r chi.Router) {
		if _, gateway, ok := fakeGatewayOf(provider); ok {
			r.Mount("/dev/payments", http.StripPrefix("/dev/payments", gateway.BrowserAPI()))
		}
	}
}

// fakeGatewayOf returns the fake gateway and the provider that bills with it, also if an interceptor wraps the provider.
func fakeGatewayOf(provider payment.Provider) (*enginepayment.Provider, *fakegateway.Provider, bool) {
	if intercepted, ok := provider.(interface{ Unwrap() payment.Provider }); ok {
		provider = intercepted.Unwrap()
	}
	engine, ok := provider.(*enginepayment.Provider)
	if !ok {
		return nil, nil, false
	}
	gateway, ok := engine.Gateway.(*fakegateway.Gateway)
	if !ok {
		return nil, nil, false
	}
	return engine, gateway.Provider(), true
}

// fakeGatewayAdapter is the plugin.Adapter of the fake gateway.
type fakeGatewayAdapter struct {
	path string // of the gateway's file
}

// SettingNames implements plugin.Adapter.
func (fakeGatewayAdapter) SettingNames() []string { return nil }

// Check implements plugin.Adapter.
func (fakeGatewayAdapter) Check(plugin.Settings) []string { return nil }

// Open implements plugin.Adapter.
func (a fakeGatewayAdapter) Open(_ plugin.Settings, d plugin.Dependencies) (payment.Provider, error) {
	gatewayConfig := fakegateway.CardsAndDebits()
	gatewayConfig.Clock = d.Clock
	gateway, err := fakegateway.Open(gatewayConfig, a.path)
	if err != nil {
		return nil, err
	}
	return enginepayment.New(enginepayment.Config{
		Gateway: gateway.Gateway(nil), Database: d.Database, Clock: d.Clock, Catalogue: d.Catalogue, Log: d.Log,
		Seller: invoicepdf.Party{Brand: d.Brand}, NumberPrefix: "FG-", ReturnTo: d.PublicURL + "/vc-admin/dash",
	})
}

// WebConfig implements plugin.Adapter.
func (fakeGatewayAdapter) WebConfig(plugin.Settings) plugin.WebConfig {
	return plugin.WebConfig{WebhookPath: "fakegateway"}
}

// Migrations implements plugin.Tables.
func (fakeGatewayAdapter) Migrations() fs.FS { return enginepayment.Migrations() }
