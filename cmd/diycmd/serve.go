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

// stopTimeout limits how long a stopping server waits for requests in progress. The slowest requests wait slightly less
// than this for the payment provider.
const stopTimeout = 60 * time.Second

// runServe runs the server until ctx ends, and then waits for the requests in progress.
func (p program) runServe(ctx context.Context, args []string) error {
	if err := parseFlags(p.newFlagSet("serve", "Runs the server until SIGINT or SIGTERM."), args); err != nil {
		return err
	}
	c, err := p.loadConfig()
	if err != nil {
		return err
	}
	l, err := listen(ctx, c)
	if err != nil {
		return err
	}
	defer l.close()
	if err := c.createDevFolder(); err != nil {
		return err
	}
	store, err := openServerStore(ctx, c)
	if err != nil {
		return err
	}
	log := newLogger(p.stderr)
	c.logWarnings(log, l.public.Addr())
	return errors.Join(runApp(ctx, newApp(c, store, l, log), stopTimeout+c.drainTime()), store.Close())
}

// listeners contains the open listeners of the server.
type listeners struct {
	public net.Listener
	admin  adminListener
}

// listen opens the listeners. serve calls it before it opens the database, so that a second server that
// was started by mistake does not touch the data of the first one.
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

// close closes the listeners that are still open because the start failed.
func (l listeners) close() {
	_ = l.public.Close() // fails if it is closed already
	if l.admin.Listener != nil {
		_ = l.admin.Close() // as above
	}
}

// logWarnings logs settings that are allowed but probably mistakes. The address is that of the public listener.
func (c config) logWarnings(log *slog.Logger, address net.Addr) {
	if c.isProduction() && !strings.HasPrefix(c.PublicURL, "https://") {
		log.Warn("DIY_PUBLIC_URL is not https: passwords and session cookies are sent unencrypted")
	}
	if c.isProduction() && c.CatalogueFile == "" {
		log.Warn("DIY_CATALOGUE is empty: invoices have the tax rates of the example catalogue, not those of your tax registration")
	}
	if len(c.trustedProxies) == 0 && (c.isProduction() || !isReachedDirectly(c.PublicURL, address)) {
		log.Warn("DIY_TRUSTED_PROXIES is empty: behind a proxy, all users share the proxy's address and its rate limits")
	}
}

// isReachedDirectly reports whether the public URL leads to the listener and not to a proxy in front of it. It returns
// true for an empty URL.
func isReachedDirectly(publicURL string, address net.Addr) bool {
	if publicURL == "" {
		return true
	}
	u, err := url.Parse(publicURL)
	host, port, splitErr := net.SplitHostPort(address.String())
	if err != nil || splitErr != nil || u.Scheme != "http" || cmp.Or(u.Port(), "80") != port {
		return false
	}
	return isAnyHost(host) || u.Hostname() == host || isLoopbackHost(u.Hostname()) && isLoopbackHost(host)
}

// runApp starts the application, waits until ctx ends or the application shuts itself down, and stops
// it within timeout.
func runApp(ctx context.Context, app *fx.App, timeout time.Duration) error {
	if err := startApp(ctx, app); err != nil {
		return err
	}
	var runErr error
	select {
	case <-ctx.Done():
	case signal := <-app.Wait():
		if signal.ExitCode != 0 {
			runErr = errServerStopped
		}
	}
	stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	if err := app.Stop(stopCtx); err != nil {
		return err
	}
	return runErr
}

// startApp ignores the cancellation of ctx, so that an application that receives a signal while it starts finishes
// starting and is then stopped normally.
func startApp(ctx context.Context, app *fx.App) error {
	startCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	return app.Start(startCtx)
}
