package diycmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/systemclock"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/ports/clock"
)

// healthTimeout limits the request of `diy health`.
const healthTimeout = 5 * time.Second

// runMigrate runs `diy migrate`, which applies the pending migrations. It is idempotent.
func (p program) runMigrate(ctx context.Context, args []string) error {
	if err := parseFlags(p.newFlagSet("migrate", "Brings the database of DIY_DATABASE_URL up to date."), args); err != nil {
		return err
	}
	return p.withStore(ctx, openMigratedStore, func(config, *sqlstorage.Store) error {
		_, err := fmt.Fprintln(p.stdout, "the database is up to date")
		return err
	})
}

// licenseFlags are the flags of the verbs of `diy license`.
type licenseFlags struct {
	actionFlags
	plan string
}

var licenseVerbs = []verb[func(program, context.Context, *app.UseCases, licenseFlags) error]{
	{"dev", actionRequiredFlags, append([]string{"plan"}, actionOptionalFlags...), program.grantLicense,
		"gives --org a developer license for --plan, unless a plan is live. Granting again replaces it."},
	{"end", actionRequiredFlags, actionOptionalFlags, program.endLicense, "ends the developer license of --org."},
}

// runLicense runs `diy license`, which grants and ends developer licenses. It works while servers run.
func (p program) runLicense(ctx context.Context, args []string) error {
	set := newVerbFlagSet(p, "license", licenseVerbs)
	var f licenseFlags
	f.register(set)
	set.StringVar(&f.plan, "plan", "enterprise", "the plan the license is for")
	v, err := parseVerb(set, args, licenseVerbs)
	if err != nil {
		return err
	}
	return p.withOperatorUseCases(ctx, func(u *app.UseCases) error { return v.action(p, ctx, u, f) })
}

func (p program) grantLicense(ctx context.Context, u *app.UseCases, f licenseFlags) error {
	ctx, req := p.actionRequest(ctx, f.actionFlags)
	if err := u.GrantDevLicense.Do(ctx, req, f.plan); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "%s has a developer license for %s\n", f.org, f.plan)
	return err
}

func (p program) endLicense(ctx context.Context, u *app.UseCases, f licenseFlags) error {
	ctx, req := p.actionRequest(ctx, f.actionFlags)
	if err := u.EndDevLicense.Do(ctx, req); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "%s has no developer license any more\n", f.org)
	return err
}

// runHealth runs `diy health`, which checks that the server at DIY_ADDR on this machine responds. Container images
// without a shell use it as their health check.
func (p program) runHealth(ctx context.Context, args []string) error {
	if err := parseFlags(p.newFlagSet("health", "Checks that the server at DIY_ADDR is alive; exits with code 0 if it is."),
		args); err != nil {
		return err
	}
	c, err := p.loadConfig()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+dialAddress(c.Addr)+"/healthz", nil)
	if err != nil {
		return err
	}
	response, err := (&http.Client{}).Do(req)
	if err != nil {
		return err
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server responded with %s", response.Status)
	}
	return nil
}

// dialAddress returns the address at which a program on this machine reaches a server that listens on addr.
func dialAddress(addr string) string {
	host, port, _ := net.SplitHostPort(addr)
	if isAnyHost(host) {
		host = "127.0.0.1" // needs no name resolution
	}
	return net.JoinHostPort(host, port)
}

// localURL returns the URL at which a browser on this machine reaches a server that listens on addr. The host is
// localhost if the server listens on its address, because browsers refuse passkeys under an IP address.
func localURL(addr string) string {
	host, port, _ := net.SplitHostPort(addr)
	if isAnyHost(host) || host == "127.0.0.1" || host == "::1" {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}

func (p program) runVersion(_ context.Context, args []string) error {
	if err := parseFlags(p.newFlagSet("version", "Prints the version."), args); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout, version)
	return err
}

// withStore loads the configuration, opens the database and calls do.
func (p program) withStore(
	ctx context.Context, open func(context.Context, config) (*sqlstorage.Store, error),
	do func(config, *sqlstorage.Store) error,
) (err error) {
	c, err := p.loadConfig()
	if err != nil {
		return err
	}
	store, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(c, store)
}

// withUseCases opens the payment provider and calls do with the use cases, which log to stderr.
func (p program) withUseCases(ctx context.Context, c config, store *sqlstorage.Store, do func(*app.UseCases) error) (err error) {
	c.PublicURL = cmp.Or(c.PublicURL, localURL(c.Addr)) // used in emails
	serverClock, err := c.commandClock()
	if err != nil {
		return err
	}
	useAuditClock(store, serverClock)
	log := newLogger(p.stderr)
	provider, stop, err := c.integration().open(c, serverClock, log, store.Database())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop(context.WithoutCancel(ctx))) }()
	ports := c.appPorts()
	ports.Store, ports.Provider, ports.Clock, ports.Log = store, provider, serverClock, log
	return do(app.New(ports))
}

// commandClock returns a clock with the server's time, for commands.
func (c config) commandClock() (clock.Clock, error) {
	if c.isProduction() {
		return systemclock.New(), nil
	}
	return devclock.Open(c.devFile("clock"), nil)
}
