package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/stripeserver"
)

// clockChangeTimeout limits how long a change of the clock waits for its effects.
const clockChangeTimeout = 30 * time.Second

// openServer restores the stored state and returns the provider and the handler of the server.
func openServer(s settings, log *slog.Logger) (*fakepayment.Provider, http.Handler, error) {
	prices, err := s.loadCatalogue()
	if err != nil {
		return nil, nil, err
	}
	if err := s.createDataFolder(); err != nil {
		return nil, nil, err
	}
	clock, err := devclock.Open(s.filePath("clock"), nil)
	if err != nil {
		return nil, nil, err
	}
	provider, err := fakepayment.Open(fakepayment.Config{
		Path: s.filePath("payments"), Clock: clock, Prices: prices, Secrets: []string{s.webhookSecret}, Log: log,
		StripeDebitRules: true,
	})
	if err != nil {
		return nil, nil, err
	}
	if s.webhookURL != "" {
		provider.SetSink(newWebhookEndpoint(s.webhookURL).deliver)
	}
	observeClock(clock, provider, s.webhookURL != "", log)
	config := stripeserver.Config{SecretKey: s.secretKey, PublishableKey: s.publishableKey}
	if !s.startEmpty {
		config.Catalogue = prices
	}
	mux := http.NewServeMux()
	mux.Handle("/local/clock", clock)
	mux.Handle("/", stripeserver.New(provider, config))
	return provider, mux, nil
}

// observeClock makes each change of the clock wait until everything that is due has happened. If sendsEvents is true, the
// change also waits until the events are delivered.
func observeClock(clock *devclock.Clock, provider *fakepayment.Provider, sendsEvents bool, log *slog.Logger) {
	clock.Observe(func(time.Time) {
		ctx, cancel := context.WithTimeout(context.Background(), clockChangeTimeout)
		defer cancel()
		err := provider.Tick(ctx)
		if sendsEvents {
			err = errors.Join(err, provider.Drain(ctx))
		}
		if err != nil {
			log.Warn("events of the clock change are not delivered yet", "error", err)
		}
	})
}

// shutdownTimeout limits how long a shutdown waits for running requests, and how long the provider takes to stop.
const shutdownTimeout = 5 * time.Second

// serve serves until ctx ends, and then stops the provider, which stores its state.
func serve(ctx context.Context, s settings, log *slog.Logger) error {
	provider, handler, err := openServer(s, log)
	if err != nil {
		return err
	}
	err = errors.Join(provider.Start(ctx), listenAndServe(ctx, s.addr, handler, log))
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	return errors.Join(err, provider.Stop(stopCtx))
}

// listenAndServe serves on the address until ctx ends. It logs the address, whose port can be chosen by the system.
func listenAndServe(ctx context.Context, addr string, handler http.Handler, log *slog.Logger) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	log.Info("listening", "addr", listener.Addr().String())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	serveErr := make(chan error, 1)
	go func() { serveErr <- server.Serve(listener) }()
	select {
	case err := <-serveErr:
		return err
	case <-ctx.Done():
		return shutDown(ctx, server)
	}
}

// shutDown stops the server. It closes connections that are still busy after the timeout, such as those of injected faults.
func shutDown(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if server.Shutdown(ctx) == nil {
		return nil
	}
	return server.Close()
}

// webhookEndpoint sends events to a URL.
type webhookEndpoint struct {
	url    string
	client *http.Client
}

func newWebhookEndpoint(url string) webhookEndpoint {
	return webhookEndpoint{url: url, client: &http.Client{Timeout: 20 * time.Second}}
}

// deliver sends an event. It returns an error for a status other than 2xx.
func (e webhookEndpoint) deliver(ctx context.Context, payload []byte, signature string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(payload))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Stripe-Signature", signature)
	response, err := e.client.Do(r)
	if err != nil {
		return err
	}
	_ = response.Body.Close() // the body is not used
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("%s responded with %s", e.url, response.Status)
	}
	return nil
}
