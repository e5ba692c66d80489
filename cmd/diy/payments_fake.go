package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/trace"
)

// followPatience is how long a move of the clock waits for what it causes.
const followPatience = 30 * time.Second

// fakePayments takes no money, and shows everything that happens when money is taken.
type fakePayments struct{}

func (fakePayments) settingNames() []string { return nil }

func (fakePayments) check(c config, problems *configError) {
	if c.production() {
		problems.add("DIY_PAYMENTS=fake takes no money and is for development only")
	}
}

// page has its events arrive as those of the provider whose manners it has.
func (fakePayments) page(config) plugin.Web {
	return plugin.Web{Name: "fake", SignatureHeader: "Stripe-Signature", WebhookPath: "stripe"}
}

// shop is none: it sells what the catalogue says.
func (fakePayments) shop(config) (plugin.PriceSync, error) { return nil, nil }

func (fakePayments) parts(c config) fx.Option {
	open := func(clock clock.Clock, log *slog.Logger) (*fakepayment.Provider, error) {
		return fakepayment.Open(fakepayment.Config{
			Path: c.beside("payments"), Clock: clock, Prices: c.catalogue, Log: log,
		})
	}
	return fx.Options(
		fx.Provide(
			fx.Annotate(open, fx.As(fx.Self()), fx.As(new(payment.Provider))),
			devRoutes(c, fakeCardRoutes),
		),
		fx.Invoke(deliverFakeEvents, followClock),
	)
}

// deliverFakeEvents has the fake provider tell the application of its events as a real one does.
func deliverFakeEvents(life fx.Lifecycle, provider *fakepayment.Provider, useCases *app.UseCases) {
	provider.DeliverTo(func(ctx context.Context, payload []byte, signature string) error {
		return useCases.ReceiveEvent.Do(trace.With(ctx, trace.NewID()), payload, signature)
	})
	life.Append(fx.Hook{OnStart: provider.Start, OnStop: provider.Stop})
}

// followClock has everything that comes due happen, and told, before a move of the clock is over:
// whoever moved it sees the application as it then is.
func followClock(clock *devclock.Clock, provider *fakepayment.Provider, log *slog.Logger) {
	clock.Observe(func(time.Time) {
		ctx, cancel := context.WithTimeout(context.Background(), followPatience)
		defer cancel()
		if err := errors.Join(provider.Tick(ctx), provider.Drain(ctx)); err != nil {
			log.Warn("the fake provider lags behind the clock", "error", err)
		}
	})
}

// fakeCardRoutes is what the fake card field in the browser talks to.
func fakeCardRoutes(provider *fakepayment.Provider) func(chi.Router) {
	return func(r chi.Router) {
		r.Mount("/dev/payments", http.StripPrefix("/dev/payments", provider.Browser()))
	}
}
