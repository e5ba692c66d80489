package diycmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/invoicepdf"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/trace"
)

// clockChangeTimeout limits how long a move of the development clock waits for a payment provider.
const clockChangeTimeout = 30 * time.Second

// stopFunc releases the resources of a payment provider.
type stopFunc = func(context.Context) error

// paymentIntegration connects a payment provider to the server and to the commands.
type paymentIntegration interface {
	// settingNames returns the names of the provider's settings without the prefix of their variables.
	settingNames() []string
	// checkSettings adds the problems of the provider's settings to problems.
	checkSettings(c config, problems *configError)
	// options provides the payment.Provider, and the routes and background work that the server adds for it.
	options(c config) fx.Option
	// open opens the provider for a command. The command calls stop when it ends.
	open(c config, clock clock.Clock, log *slog.Logger, database plugin.Database) (provider payment.Provider,
		stop stopFunc, err error)
	// webConfig returns the provider's settings of the HTTP server.
	webConfig(c config) plugin.WebConfig
	// priceSync opens the provider's own price list. The result is nil if the provider has none.
	priceSync(c config) (plugin.PriceSync, error)
	// tables returns the provider's own tables in the database, or nil if the provider has none.
	tables() plugin.Tables
}

// integration returns the integration that DIY_PAYMENTS selects.
func (c config) integration() paymentIntegration { return c.integrations[c.Payments] }

func (c config) checkPayments(problems *configError) {
	if integration := c.integration(); integration != nil {
		integration.checkSettings(c, problems)
		return
	}
	names := slices.Sorted(maps.Keys(c.integrations))
	problems.add("DIY_PAYMENTS must be %s, not %q", strings.Join(names, " or "), c.Payments)
}

// settingsPrefix returns the prefix of a provider's variables, such as DIY_STRIPE_.
func settingsPrefix(provider string) string { return variablePrefix + strings.ToUpper(provider) + "_" }

// pluginIntegration is the integration of a provider with a plugin.Adapter.
type pluginIntegration struct{ plugin.Adapter }

// settings returns the variables that begin with the provider's prefix.
func (p pluginIntegration) settings(c config) plugin.Settings {
	s := plugin.Settings{Values: map[string]string{}, Production: c.isProduction()}
	for name, value := range c.environment {
		if setting, ok := strings.CutPrefix(name, settingsPrefix(c.Payments)); ok {
			s.Values[setting] = value
		}
	}
	return s
}

func (p pluginIntegration) settingNames() []string { return p.SettingNames() }

func (p pluginIntegration) checkSettings(c config, problems *configError) {
	for _, problem := range p.Check(p.settings(c)) {
		problems.add("%s%s", settingsPrefix(c.Payments), problem)
	}
}

func (p pluginIntegration) options(c config) fx.Option {
	openProvider := func(
		clock clock.Clock, log *slog.Logger, store *sqlstorage.Store,
	) (payment.Provider, optionalPriceSync, optionalWorker, error) {
		provider, _, err := p.open(c, clock, log, store.Database())
		prices, _ := provider.(plugin.PriceSync)
		providerWorker, _ := provider.(payment.Worker)
		return provider, optionalPriceSync{prices}, optionalWorker{providerWorker}, err
	}
	return fx.Options(fx.Provide(openProvider), fx.Invoke(addPriceCheck, runPaymentWorker))
}

func (p pluginIntegration) open(
	c config, clock clock.Clock, log *slog.Logger, database plugin.Database,
) (payment.Provider, stopFunc, error) {
	provider, err := p.Open(p.settings(c), plugin.Dependencies{
		Catalogue: c.catalogue, Clock: clock, Log: log, Database: database, PublicURL: c.PublicURL, Brand: c.branding.Name,
	})
	if _, usesTables := provider.(plugin.TablesUser); err == nil && usesTables && p.tables() == nil {
		err = fmt.Errorf("the payment provider %q stores its records in tables, but its adapter has no method Migrations, see plugin.Tables",
			c.Payments)
	}
	return provider, func(context.Context) error { return nil }, err
}

func (p pluginIntegration) tables() plugin.Tables {
	tables, _ := p.Adapter.(plugin.Tables)
	return tables
}

func (p pluginIntegration) webConfig(c config) plugin.WebConfig {
	web := p.WebConfig(p.settings(c))
	web.Name = c.Payments
	return web
}

func (p pluginIntegration) priceSync(c config) (plugin.PriceSync, error) {
	provider, _, err := p.open(c, systemclock.New(), slog.New(slog.DiscardHandler), nil)
	prices, _ := provider.(plugin.PriceSync)
	return prices, err
}

// fakeIntegration is the integration of the fake provider, which is for development. It is not a plugin, because it needs
// a file beside the database, routes for its card field and the development clock.
type fakeIntegration struct{}

func (fakeIntegration) settingNames() []string { return nil }

func (fakeIntegration) checkSettings(c config, problems *configError) {
	if c.isProduction() {
		problems.add("DIY_PAYMENTS=fake charges nothing and is for development only")
	}
}

// webConfig uses Stripe's webhook path, because the fake provider sends its events as Stripe does.
func (fakeIntegration) webConfig(config) plugin.WebConfig {
	return plugin.WebConfig{Name: "fake", WebhookPath: "stripe"}
}

func (fakeIntegration) priceSync(config) (plugin.PriceSync, error) { return nil, nil }

func (fakeIntegration) tables() plugin.Tables { return nil }

func (fakeIntegration) open(
	c config, clock clock.Clock, log *slog.Logger, _ plugin.Database,
) (payment.Provider, stopFunc, error) {
	provider, err := openFakeProvider(c, clock, log)
	if err != nil {
		return nil, nil, fmt.Errorf("stop the server, or use its development endpoints: %w", err)
	}
	return provider, provider.Stop, nil
}

// openFakeProvider opens the fake provider with its file beside the database, which one process can use at a time.
func openFakeProvider(c config, clock clock.Clock, log *slog.Logger) (*fakepayment.Provider, error) {
	return fakepayment.Open(fakepayment.Config{
		Path: c.devFile("payments"), Clock: clock, Prices: c.catalogue, Log: log,
		Seller: invoicepdf.Party{Brand: c.branding.Name},
	})
}

func (fakeIntegration) options(c config) fx.Option {
	openProvider := func(clock clock.Clock, log *slog.Logger) (*fakepayment.Provider, error) {
		return openFakeProvider(c, clock, log)
	}
	return fx.Options(
		fx.Provide(
			fx.Annotate(openProvider, fx.As(fx.Self()), fx.As(new(payment.Provider))),
			provideDevRoutes(c, fakeCardRoutes), newDisputeHandler, provideDevRoutes(c, disputeRoutes),
		),
		fx.Invoke(deliverFakeEvents, processEventsOnClockChange),
	)
}

// deliverFakeEvents passes the fake provider's webhook events to the application.
func deliverFakeEvents(lifecycle fx.Lifecycle, provider *fakepayment.Provider, useCases *app.UseCases) {
	provider.SetSink(func(ctx context.Context, payload []byte, signature string) error {
		return useCases.ReceiveEvent.Do(trace.WithID(ctx, trace.NewID()), fakepayment.NewDelivery(payload, signature))
	})
	lifecycle.Append(fx.Hook{OnStart: provider.Start, OnStop: provider.Stop})
}

// processEventsOnClockChange makes each move of the development clock wait until the fake provider has processed
// everything that is due and has delivered its events. The next request then sees the results.
func processEventsOnClockChange(clock *devclock.Clock, provider *fakepayment.Provider, log *slog.Logger) {
	clock.Observe(func(time.Time) {
		ctx, cancel := context.WithTimeout(context.Background(), clockChangeTimeout)
		defer cancel()
		if err := errors.Join(provider.Tick(ctx), provider.Drain(ctx)); err != nil {
			log.Warn("events of the clock change are not delivered yet", "error", err)
		}
	})
}

// fakeCardRoutes serves the API that the fake card field calls.
func fakeCardRoutes(provider *fakepayment.Provider) func(chi.Router) {
	return func(r chi.Router) {
		r.Mount("/dev/payments", http.StripPrefix("/dev/payments", provider.BrowserAPI()))
	}
}
