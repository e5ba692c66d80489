package diycmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.uber.org/fx"

	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

const (
	// priceCheckTimeout limits the comparison of the catalogue with the provider's prices.
	priceCheckTimeout = 30 * time.Second
	// priceCheckStartTimeout limits how long the start waits for the comparison. Usually the provider needs less time.
	priceCheckStartTimeout = 5 * time.Second
)

// errPricesDiffer makes `diy catalogue diff` exit with code 1.
var errPricesDiffer = errors.New("the provider's catalogue differs: run `diy catalogue push`")

// runCatalogue runs `diy catalogue`. It compares the provider's products and prices with the catalogue (diff) or
// corrects them (push).
func (p program) runCatalogue(ctx context.Context, args []string) error {
	set := p.newFlagSet("catalogue diff|push",
		"Compares the products and prices at the provider with the catalogue (diff), or corrects them (push).\n"+
			"  A changed amount becomes a new price; existing subscriptions keep the old one.")
	verbName, err := parseVerbName(set, args, "diff", "push")
	if err != nil {
		return err
	}
	c, err := p.loadConfig()
	if err != nil {
		return err
	}
	prices, err := c.integration().priceSync(c)
	if err != nil {
		return err
	}
	switch {
	case prices == nil:
		_, err := fmt.Fprintf(p.stdout, "the %s provider uses the prices of the catalogue\n", c.Payments)
		return err
	case verbName == "push":
		return toConfigError(c, p.pushPrices(ctx, prices))
	}
	return toConfigError(c, p.diffPrices(ctx, prices))
}

func (p program) diffPrices(ctx context.Context, prices plugin.PriceSync) error {
	diffs, err := prices.Diff(ctx)
	if err != nil {
		return err
	}
	for _, diff := range diffs {
		_, _ = fmt.Fprintln(p.stdout, diff)
	}
	if len(diffs) > 0 {
		return errPricesDiffer
	}
	_, err = fmt.Fprintln(p.stdout, "the provider's prices match the catalogue")
	return err
}

func (p program) pushPrices(ctx context.Context, prices plugin.PriceSync) error {
	corrections, err := prices.Push(ctx)
	for _, diff := range corrections {
		_, _ = fmt.Fprintln(p.stdout, "corrected:", diff)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.stdout, "the provider's prices match the catalogue")
	return err
}

// optionalPriceSync contains the provider's own price list, or nil if it has none.
type optionalPriceSync struct{ plugin.PriceSync }

// priceCheck compares the catalogue with the provider's prices when the server starts.
type priceCheck struct {
	prices plugin.PriceSync
	log    *slog.Logger
	done   chan struct{}
	err    error // payment.ErrAPIKeyRefused or nil; set before done is closed
}

// addPriceCheck adds the price check to the startup. If the provider refuses the API key, the start fails, because no
// payment could succeed. Other problems are only logged, because visitors can read plans and register while the provider
// is unavailable or lacks a price.
func addPriceCheck(lifecycle fx.Lifecycle, c config, prices optionalPriceSync, log *slog.Logger) {
	if prices.PriceSync == nil {
		return
	}
	checkCtx, cancel := context.WithTimeout(context.Background(), priceCheckTimeout)
	check := &priceCheck{prices: prices, log: log, done: make(chan struct{})}
	lifecycle.Append(fx.Hook{
		OnStart: func(ctx context.Context) error {
			go check.run(checkCtx)
			return toConfigError(c, check.wait(ctx))
		},
		OnStop: func(context.Context) error { cancel(); <-check.done; return nil },
	})
}

// run compares the prices, logs the differences and closes done.
func (c *priceCheck) run(ctx context.Context) {
	defer close(c.done)
	diffs, err := c.prices.Check(ctx)
	switch {
	case errors.Is(err, payment.ErrAPIKeyRefused):
		c.err = err
	case err != nil:
		c.log.Error("reading the prices at the payment provider failed", "error", err)
	}
	for _, diff := range diffs {
		c.log.Warn("a price at the payment provider differs from the catalogue: run `diy catalogue push`",
			"price", diff.Subject, "problem", diff.Problem)
	}
}

// wait returns the error that must prevent the start, if run reports one within priceCheckStartTimeout.
func (c *priceCheck) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, priceCheckStartTimeout)
	defer cancel()
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return nil
	}
}

// toConfigError converts payment.ErrAPIKeyRefused to a configError that names the provider's settings. It returns
// other errors unchanged.
func toConfigError(c config, err error) error {
	if !errors.Is(err, payment.ErrAPIKeyRefused) {
		return err
	}
	return configError{problems: []string{
		fmt.Sprintf("%s*: the payment provider refused the API key (%s)", settingsPrefix(c.Payments), operatorMessage(err)),
	}}
}
