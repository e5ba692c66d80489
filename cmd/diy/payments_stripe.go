package main

import (
	"context"
	"log/slog"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
)

// checkPatience is how long the comparison of the catalogue with Stripe's prices may take.
const checkPatience = 30 * time.Second

// stripePayments takes real money.
func stripePayments(c config) fx.Option {
	open := func(clock clock.Clock, log *slog.Logger) (*stripepayment.Provider, error) {
		return newStripe(c, clock, log)
	}
	return fx.Options(
		fx.Provide(fx.Annotate(open, fx.As(fx.Self()), fx.As(new(payment.Provider)))),
		fx.Invoke(checkStripePrices),
	)
}

func newStripe(c config, clock clock.Clock, log *slog.Logger) (*stripepayment.Provider, error) {
	return stripepayment.New(stripepayment.Config{
		SecretKey: c.StripeSecretKey, Production: c.production(), APIURL: c.StripeAPIURL,
		WebhookSecrets: c.webhookSecrets(), Catalogue: c.catalogue, Clock: clock, Log: log,
	})
}

// checkStripePrices says in the log what is wrong between Stripe and us. The server starts all the
// same: plans can be read and people can register while Stripe is away.
func checkStripePrices(life fx.Lifecycle, provider *stripepayment.Provider, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), checkPatience)
	checked := make(chan struct{})
	check := func() {
		defer close(checked)
		drifts, err := provider.Check(ctx)
		if err != nil {
			log.Error("Stripe could not be asked for its prices", "error", err)
		}
		for _, drift := range drifts {
			log.Warn("a price at Stripe is not the catalogue's: run `diy catalogue push`", "price", drift.Subject, "problem", drift.Problem)
		}
	}
	life.Append(fx.Hook{
		OnStart: func(context.Context) error { go check(); return nil },
		OnStop:  func(context.Context) error { cancel(); <-checked; return nil },
	})
}
