package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/stripepayment"
)

const (
	// checkPatience is how long the comparison of the catalogue with Stripe's prices may take.
	checkPatience = 30 * time.Second
	// startPause is how long the start waits for it: a working Stripe answers well within.
	startPause = 5 * time.Second
)

// stripeCheck compares the catalogue with Stripe's prices when the server starts.
type stripeCheck struct {
	provider *stripepayment.Provider
	log      *slog.Logger
	done     chan struct{}
	refused  error // that the key is; to be read once it is done
}

// checkStripe says what is wrong between Stripe and us. A key that Stripe refuses stops the start:
// nobody could pay before an operator has done something about it. Whatever else is wrong is only
// logged, because plans can be read and people can register while Stripe is away or lacks a price.
func checkStripe(life fx.Lifecycle, provider *stripepayment.Provider, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), checkPatience)
	check := &stripeCheck{provider: provider, log: log, done: make(chan struct{})}
	life.Append(fx.Hook{
		OnStart: func(starting context.Context) error {
			go check.run(ctx)
			return check.wait(starting)
		},
		OnStop: func(context.Context) error { cancel(); <-check.done; return nil },
	})
}

func (k *stripeCheck) run(ctx context.Context) {
	defer close(k.done)
	drifts, err := k.provider.Check(ctx)
	switch {
	case stripepayment.KeyRefused(err):
		k.refused = errKeyRefused(err)
	case err != nil:
		k.log.Error("Stripe could not be asked for its prices", "error", err)
	}
	for _, drift := range drifts {
		k.log.Warn("a price at Stripe is not the catalogue's: run `diy catalogue push`", "price", drift.Subject, "problem", drift.Problem)
	}
}

// wait returns what stops the start, if that is known in time.
func (k *stripeCheck) wait(starting context.Context) error {
	ctx, cancel := context.WithTimeout(starting, startPause)
	defer cancel()
	select {
	case <-k.done:
		return k.refused
	case <-ctx.Done():
		return nil
	}
}

// errKeyRefused names the setting that an operator has to look at.
func errKeyRefused(cause error) error {
	return configError{problems: []string{fmt.Sprintf("DIY_STRIPE_SECRET_KEY is refused by Stripe (%v)", cause)}}
}
