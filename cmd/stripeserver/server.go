package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
)

// clockTimeout limits how long a change of the clock waits for its effects.
const clockTimeout = 30 * time.Second

// openProvider restores the stored state and returns the provider with the handler of its API.
func openProvider(s settings, log *slog.Logger) (*fakepayment.Provider, http.Handler, error) {
	prices, err := s.catalogue()
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
	provider, err := fakepayment.Open(fakepayment.Config{
		Path: s.file("payments"), Clock: clock, Prices: prices, Secrets: []string{s.webhookSecret}, Log: log,
		DebitsLikeStripe: true,
	})
	if err != nil {
		return nil, nil, err
	}
	if s.webhookURL != "" {
		provider.DeliverTo(newWebhook(s.webhookURL).deliver)
	}
	followClock(clock, provider, s.webhookURL != "", log)
	initial := prices
	if s.empty {
		initial = nil
	}
	api := stripeserver.New(provider,
		stripeserver.Config{SecretKey: s.secretKey, PublishableKey: s.publishableKey, Catalogue: initial})
	return provider, routes(api, clock), nil
}

func routes(api, clock http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/local/clock", clock)
	mux.Handle("/", api)
	return mux
}

// followClock makes a change of the clock wait until everything due has happened and, if deliver is
// set, its events are delivered.
func followClock(clock *devclock.Clock, provider *fakepayment.Provider, deliver bool, log *slog.Logger) {
	clock.Observe(func(time.Time) {
		ctx, cancel := context.WithTimeout(context.Background(), clockTimeout)
		defer cancel()
		err := provider.Tick(ctx)
		if deliver {
			err = errors.Join(err, provider.Drain(ctx))
		}
		if err != nil {
			log.Warn("events of the clock change are not delivered yet", "error", err)
		}
	})
}

// shutdownTimeout limits how long a shutdown waits for running requests.
const shutdownTimeout = 5 * time.Second

// serve serves until ctx ends, and then stops the provider, which stores its state.
func serve(ctx context.Context, s settings, log *slog.Logger) error {
	provider, handler, err := openProvider(s, log)
	if err != nil {
		return err
	}
	served := errors.Join(provider.Start(ctx), listenAndServe(ctx, s.addr, handler, log))
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	return errors.Join(served, provider.Stop(stopping))
}

func listenAndServe(ctx context.Context, addr string, handler http.Handler, log *slog.Logger) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	log.Info("listening", "addr", listener.Addr().String())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return shutDown(ctx, server)
	}
}

// shutDown closes connections that are still busy after the timeout, such as those of injected
// faults.
func shutDown(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if server.Shutdown(ctx) == nil {
		return nil
	}
	return server.Close()
}
