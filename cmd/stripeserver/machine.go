package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
)

// followPatience is how long a move of the clock waits for what it causes.
const followPatience = 30 * time.Second

// openMachine brings back the state of the last time, and returns it with what it is asked through.
func openMachine(s settings, log *slog.Logger) (*fakepayment.Provider, http.Handler, error) {
	sold, err := s.catalogue()
	if err != nil {
		return nil, nil, err
	}
	if err := s.makeFolder(); err != nil {
		return nil, nil, err
	}
	clock, err := devclock.Open(s.file("clock"), nil)
	if err != nil {
		return nil, nil, err
	}
	machine, err := fakepayment.Open(fakepayment.Config{
		Path: s.file("payments"), Clock: clock, Prices: sold, Secrets: []string{s.webhookSecret}, Log: log,
	})
	if err != nil {
		return nil, nil, err
	}
	if s.webhookURL != "" {
		machine.DeliverTo(newWebhook(s.webhookURL).deliver)
	}
	followClock(clock, machine, s.webhookURL != "", log)
	shelf := sold
	if s.empty {
		shelf = nil
	}
	face := stripeserver.New(machine, stripeserver.Config{SecretKey: s.secretKey, PublishableKey: s.publishableKey, Catalogue: shelf})
	return machine, routes(face, clock), nil
}

func routes(face, clock http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/local/clock", clock)
	mux.Handle("/", face)
	return mux
}

// followClock has everything that comes due happen, and told, before a move of the clock is over.
func followClock(clock *devclock.Clock, machine *fakepayment.Provider, told bool, log *slog.Logger) {
	clock.Observe(func(time.Time) {
		ctx, cancel := context.WithTimeout(context.Background(), followPatience)
		defer cancel()
		err := machine.Tick(ctx)
		if told {
			err = errors.Join(err, machine.Drain(ctx))
		}
		if err != nil {
			log.Warn("what the clock caused is not told yet", "error", err)
		}
	})
}
