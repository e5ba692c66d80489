package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/ports/payment"
)

const (
	// checkPatience is how long the comparison of the catalogue with the provider's prices may take.
	checkPatience = 30 * time.Second
	// startPause is how long the start waits for it: a working provider answers well within.
	startPause = 5 * time.Second
)

// priceCheck compares the catalogue with the provider's prices when the server starts.
type priceCheck struct {
	stock   stock
	log     *slog.Logger
	done    chan struct{}
	refused error // that the key is; to be read once it is done
}

// checkPrices says what is wrong between the provider and us. A key that it does not take stops the
// start: nobody could pay before an operator has done something about it. Whatever else is wrong is
// only logged, because plans can be read and people can register while the provider is away or lacks
// a price.
func checkPrices(life fx.Lifecycle, c config, stock stock, log *slog.Logger) {
	if stock.PriceSync == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkPatience)
	check := &priceCheck{stock: stock, log: log, done: make(chan struct{})}
	life.Append(fx.Hook{
		OnStart: func(starting context.Context) error {
			go check.run(ctx)
			return namingKey(c, check.wait(starting))
		},
		OnStop: func(context.Context) error { cancel(); <-check.done; return nil },
	})
}

func (k *priceCheck) run(ctx context.Context) {
	defer close(k.done)
	drifts, err := k.stock.Check(ctx)
	switch {
	case errors.Is(err, payment.ErrKeyRefused):
		k.refused = err
	case err != nil:
		k.log.Error("the payment provider could not be asked for its prices", "error", err)
	}
	for _, drift := range drifts {
		k.log.Warn("a price at the payment provider is not the catalogue's: run `diy catalogue push`",
			"price", drift.Subject, "problem", drift.Problem)
	}
}

// wait returns what stops the start, if that is known in time.
func (k *priceCheck) wait(starting context.Context) error {
	ctx, cancel := context.WithTimeout(starting, startPause)
	defer cancel()
	select {
	case <-k.done:
		return k.refused
	case <-ctx.Done():
		return nil
	}
}

// namingKey says where an operator has to look when it is our key that the provider does not take.
func namingKey(c config, err error) error {
	if !errors.Is(err, payment.ErrKeyRefused) {
		return err
	}
	return configError{problems: []string{fmt.Sprintf("%s*: the payment provider does not take our key (%v)", settingsPrefix(c), err)}}
}
