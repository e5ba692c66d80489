package main

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/adapters/systemclock"
)

// stripeShop is Stripe's products and prices.
type stripeShop struct{ provider *stripepayment.Provider }

func (stripePayments) shop(c config) (shop, error) {
	provider, err := newStripe(c, systemclock.New(), slog.New(slog.DiscardHandler))
	return stripeShop{provider}, err
}

func (s stripeShop) diff(ctx context.Context) ([]string, error) {
	return sentences(s.provider.Diff(ctx))
}

func (s stripeShop) push(ctx context.Context) ([]string, error) {
	return sentences(s.provider.Push(ctx))
}

func sentences(drifts []stripepayment.Drift, err error) ([]string, error) {
	if stripepayment.KeyRefused(err) {
		err = errKeyRefused(err)
	}
	var out []string
	for _, drift := range drifts {
		out = append(out, drift.String())
	}
	return out, err
}
