package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/vc-admin/diy/ports/payment/plugin"
)

// errDiffers means that the provider does not sell what the catalogue says; exit code 1.
var errDiffers = errors.New("the provider's catalogue differs: run `diy catalogue push`")

// syncCatalogue has two subcommands: diff tells how the payment provider's products and prices
// differ from the catalogue, push makes them the same.
func syncCatalogue(ctx context.Context, io stdio, args []string) error {
	set := flags(io, "catalogue diff|push", "Compares the provider's products and prices with the catalogue, or makes them the same.\n"+
		"  An amount is never edited: a new price takes over, and running subscriptions keep theirs.")
	what, err := subcommand(set, args, "diff", "push")
	if err != nil {
		return err
	}
	c, err := loadConfig(io.env)
	if err != nil {
		return err
	}
	at, err := paymentProfiles[c.Payments].shop(c)
	if err != nil {
		return err
	}
	if at == nil {
		_, err := fmt.Fprintf(io.stdout, "the %s provider sells what the catalogue says\n", c.Payments)
		return err
	}
	if what == "push" {
		return namingKey(c, pushCatalogue(ctx, io, at))
	}
	return namingKey(c, diffCatalogue(ctx, io, at))
}

func diffCatalogue(ctx context.Context, io stdio, at plugin.PriceSync) error {
	drifts, err := at.Diff(ctx)
	if err != nil {
		return err
	}
	for _, drift := range drifts {
		_, _ = fmt.Fprintln(io.stdout, drift)
	}
	if len(drifts) > 0 {
		return errDiffers
	}
	_, err = fmt.Fprintln(io.stdout, "the provider sells what the catalogue says")
	return err
}

func pushCatalogue(ctx context.Context, io stdio, at plugin.PriceSync) error {
	mended, err := at.Push(ctx)
	for _, drift := range mended {
		_, _ = fmt.Fprintln(io.stdout, "mended:", drift)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(io.stdout, "the provider sells what the catalogue says")
	return err
}
