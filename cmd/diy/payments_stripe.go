package main

import (
	"log/slog"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
)

// stripePayments takes real money.
type stripePayments struct{}

func (stripePayments) parts(c config) fx.Option {
	open := func(clock clock.Clock, log *slog.Logger) (*stripepayment.Provider, error) {
		return newStripe(c, clock, log)
	}
	return fx.Options(
		fx.Provide(fx.Annotate(open, fx.As(fx.Self()), fx.As(new(payment.Provider)))),
		fx.Invoke(checkStripe),
	)
}

func newStripe(c config, clock clock.Clock, log *slog.Logger) (*stripepayment.Provider, error) {
	s, err := readStripe(c)
	if err != nil {
		return nil, err
	}
	return stripepayment.New(stripepayment.Config{
		SecretKey: s.SecretKey, Production: c.production(), APIURL: s.APIURL, Timeout: s.Timeout,
		WebhookSecrets: s.webhookSecrets(), Catalogue: c.catalogue, Clock: clock, Log: log,
	})
}

// page lets in what Stripe's script loads and asks, and nothing else of anybody's.
func (stripePayments) page(c config) httpapi.PaymentPage {
	s, _ := readStripe(c) // what can't be read has stopped the start
	const script, parts = "https://js.stripe.com", "https://*.js.stripe.com"
	return httpapi.PaymentPage{
		Kind: "stripe", PublishableKey: s.PublishableKey,
		Scripts: []string{script, parts}, Frames: []string{script, parts, "https://hooks.stripe.com"},
		Calls: []string{"https://api.stripe.com"}, Sheets: []string{script},
	}
}
