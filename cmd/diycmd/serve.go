package diycmd

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

// stopTimeout limits requests in progress when the server stops, a little more than
// the longest timeout of a request.
const stopTimeout = 60 * time.Second

// serve runs the server until ctx ends, then lets requests in progress finish.
func (p program) serve(ctx context.Context, args []string) error {
	if err := parse(p.flags("serve", "Runs the server until SIGINT or SIGTERM."), args); err != nil {
		return err
	}
	c, err := p.loadConfig()
	if err != nil {
		return err
	}
	listening, err := listen(ctx, c)
	if err != nil {
		return err
	}
	defer listening.close()
	if err := c.makeDevFolder(); err != nil {
		return err
	}
	store, err := openServerStore(ctx, c)
	if err != nil {
		return err
	}
	log := newLog(p.stderr)
	c.logWarnings(log, listening.public.Addr())
	return errors.Join(runApp(ctx, newApp(c, store, listening, log), stopTimeout+c.drain()), store.Close())
}

// listeners contains the open listeners of the server.
type listeners struct {
	public net.Listener
	admin  adminListener
}

// listen opens the listeners. It runs before the database is opened, so that a second server that
// was started by mistake fails without touching the first one's data.
func listen(ctx context.Context, c config) (listeners, error) {
	var l listeners
	var err error
	if l.public, err = (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr); err != nil {
		return listeners{}, err
	}
	if c.AdminAddr == "" {
		return l, nil
	}
	if l.admin.Listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", c.AdminAddr); err != nil {
		return listeners{}, errors.Join(err, l.public.Close())
	}
	return l, nil
}

// close closes the listeners, which are still open if the servers never started.
func (l listeners) close() {
	_ = l.public.Close() // fails if it is closed already
	if l.admin.Listener != nil {
		_ = l.admin.Close() // as above
	}
}

// logWarnings logs settings that work but are probably mistakes. listening is the public listener's address.
func (c config) logWarnings(log *slog.Logger, listening net.Addr) {
	if c.isProduction() && !strings.HasPrefix(c.PublicURL, "https://") {
		log.Warn("DIY_PUBLIC_URL is not https: passwords and session cookies are sent unencrypted")
	}
	if c.isProduction() && c.CatalogueFile == "" {
		log.Warn("DIY_CATALOGUE is empty: the tax rates on invoices are the example's, not those of your registration")
	}
	if len(c.proxies) == 0 && (c.isProduction() || !isReachedDirectly(c.PublicURL, listening)) {
		log.Warn("DIY_TRUSTED_PROXIES is empty: behind a proxy, all users share the proxy's address and its rate limits")
	}
}

// isReachedDirectly reports whether the public URL, "" for none, leads to the listener itself and not
// to a proxy in front of it.
func isReachedDirectly(publicURL string, listening net.Addr) bool {
	if publicURL == "" {
		return true
	}
	u, err := url.Parse(publicURL)
	host, port, splitErr := net.SplitHostPort(listening.String())
	if err != nil || splitErr != nil || u.Scheme != "http" || cmp.Or(u.Port(), "80") != port {
		return false
	}
	return isAnyHost(host) || u.Hostname() == host || isLoopbackHost(u.Hostname()) && isLoopbackHost(host)
}

// runApp starts the application, waits until ctx ends or the application shuts itself down, and stops
// it within stopTimeout.
func runApp(ctx context.Context, app *fx.App, stopTimeout time.Duration) error {
	if err := start(ctx, app); err != nil {
		return err
	}
	var stopErr error
	select {
	case <-ctx.Done():
	case signal := <-app.Wait():
		if signal.ExitCode != 0 {
			stopErr = errServerStopped
		}
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := app.Stop(stopping); err != nil {
		return err
	}
	return stopErr
}

// start ignores the cancellation of ctx: an application that receives a signal while it starts
// finishes starting and is then stopped normally.
func start(ctx context.Context, app *fx.App) error {
	starting, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	return app.Start(starting)
}
