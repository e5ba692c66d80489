package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"go.uber.org/fx"
)

// stopPatience is how long requests under way may take to finish when the server is told to stop:
// a little more than the longest thing a request waits for.
const stopPatience = 60 * time.Second

// serve runs the server until ctx ends, then lets requests under way finish.
func serve(ctx context.Context, std stdio, args []string) error {
	if err := parse(flags(std, "serve", "Serves the area until it is told to stop (SIGINT or SIGTERM)."), args); err != nil {
		return err
	}
	c, err := loadConfig(std.env)
	if err != nil {
		return err
	}
	addresses, err := listen(ctx, c)
	if err != nil {
		return err
	}
	defer addresses.close()
	if err := c.makeFolder(); err != nil {
		return err
	}
	store, err := serverStore(ctx, c)
	if err != nil {
		return err
	}
	log := newLog(std.stderr)
	c.warn(log, addresses.public.Addr())
	return errors.Join(runApp(ctx, newApp(c, store, addresses, log), stopPatience+c.drain()), store.Close())
}

// warn logs settings that work but are probably mistakes. listening is the public listener's address.
func (c config) warn(log *slog.Logger, listening net.Addr) {
	if c.production() && !strings.HasPrefix(c.PublicURL, "https://") {
		log.Warn("DIY_PUBLIC_URL is not https: passwords and sessions can be read on their way")
	}
	if len(c.proxies) == 0 && (c.production() || !reachedDirectly(c.PublicURL, listening)) {
		log.Warn("DIY_TRUSTED_PROXIES is empty: behind a proxy all users share its address, and so their rate limits")
	}
}

// reachedDirectly reports whether the public URL, "" for none, leads to the listener itself and not
// to a proxy in front of it.
func reachedDirectly(publicURL string, listening net.Addr) bool {
	if publicURL == "" {
		return true
	}
	u, err := url.Parse(publicURL)
	host, port, splitErr := net.SplitHostPort(listening.String())
	if err != nil || splitErr != nil || u.Scheme != "http" || cmp.Or(u.Port(), "80") != port {
		return false
	}
	return anyHost(host) || u.Hostname() == host || loopbackHost(u.Hostname()) && loopbackHost(host)
}

// runApp starts the application, waits for ctx or for the application to give up, and stops it with
// patience.
func runApp(ctx context.Context, app *fx.App, patience time.Duration) error {
	if err := start(ctx, app); err != nil {
		return err
	}
	var failed error
	select {
	case <-ctx.Done():
	case signal := <-app.Wait():
		if signal.ExitCode != 0 {
			failed = errServerStopped
		}
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := app.Stop(stopping); err != nil {
		return err
	}
	return failed
}

// start lets the application come up although it may be told to stop meanwhile: it is stopped in
// peace then.
func start(ctx context.Context, app *fx.App) error {
	starting, cancel := context.WithTimeout(context.WithoutCancel(ctx), startPatience)
	defer cancel()
	return app.Start(starting)
}
