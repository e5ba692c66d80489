package diycmd

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"go.uber.org/fx"
	"go.uber.org/fx/fxevent"

	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/adapters/metrics"
	"github.com/vc-admin/diy/adapters/sessionidentity"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/ratelimit"
	"github.com/vc-admin/diy/ports/storage"
	"github.com/vc-admin/diy/webapp"
)

// newApp composes the server from the parts that all configurations share and the parts of its profile.
func newApp(c config, store *sqlstorage.Store, l listeners, log *slog.Logger) *fx.App {
	if c.PublicURL == "" {
		c.PublicURL = "http://" + l.public.Addr().String()
	}
	return fx.New(
		fx.Supply(
			c, store, log, l.admin,
			fx.Annotate(l.public, fx.As(new(net.Listener))), fx.Annotate(store, fx.As(new(storage.Store))),
		),
		fx.WithLogger(func() fxevent.Logger { return newFxLog(log) }),
		fx.StartTimeout(startTimeout),
		profileOptions(c),
		crashPoints(),
		fx.Provide(
			newSessions, newXSRF, newAppKeys, newKnownBrowsers, newMetrics, newUseCases, newReadiness, newHandler, newServer,
			fx.Annotate(sessionidentity.NewPasswords, fx.As(new(identity.Passwords))),
		),
		fx.Invoke(runAdmin, runWorkers, func(*httpServer) {}),
	)
}

// newFxLog logs the events of fx at debug level and its failures as errors.
func newFxLog(log *slog.Logger) fxevent.Logger {
	l := &fxevent.SlogLogger{Logger: log}
	l.UseLogLevel(slog.LevelDebug)
	return l
}

func newSessions(c config, store *sqlstorage.Store) *sessionidentity.Sessions {
	return sessionidentity.NewSessions(store.Sessions(), sessionidentity.Options{
		Secure:    strings.HasPrefix(c.PublicURL, "https://"),
		ErrorFunc: func(w http.ResponseWriter, _ *http.Request, err error) { httpapi.WriteError(w, err) },
	})
}

// newMetrics returns metrics that include the connection pools and the backlog in the database.
func newMetrics(store *sqlstorage.Store, clock clock.Clock) *metrics.Metrics {
	m := metrics.New(version)
	m.RegisterBacklog(store.Backlog, clock)
	for name, pool := range store.Pools() {
		m.RegisterPool(name, pool)
	}
	return m
}

func newXSRF(sessions *sessionidentity.Sessions, store *sqlstorage.Store) (*sessionidentity.XSRF, error) {
	key, err := storedSecret(store, "xsrf")
	if err != nil {
		return nil, err
	}
	return sessionidentity.NewXSRF(sessions, key)
}

func newKnownBrowsers(c config, store *sqlstorage.Store) (*sessionidentity.KnownBrowsers, error) {
	key, err := storedSecret(store, "browsers")
	if err != nil {
		return nil, err
	}
	return sessionidentity.NewKnownBrowsers(key, strings.HasPrefix(c.PublicURL, "https://"))
}

// storedSecret returns a random key that all servers on the database share.
func storedSecret(store *sqlstorage.Store, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	return store.Secret(ctx, name)
}

// appKeys contains the secret keys of the use cases.
type appKeys struct{ quotes, preferences []byte }

func newAppKeys(store *sqlstorage.Store) (keys appKeys, err error) {
	if keys.quotes, err = storedSecret(store, "quotes"); err != nil {
		return keys, err
	}
	keys.preferences, err = storedSecret(store, "email preferences")
	return keys, err
}

// useCaseParams contains the parameters of newUseCases.
type useCaseParams struct {
	fx.In

	Config    config
	Log       *slog.Logger
	Store     storage.Store
	Provider  payment.Provider
	Sessions  *sessionidentity.Sessions
	Passwords identity.Passwords
	Sender    mail.Sender
	Clock     clock.Clock
	Metrics   *metrics.Metrics
	Keys      appKeys
}

func newUseCases(p useCaseParams) *app.UseCases {
	ports := p.Config.appPorts()
	ports.Store, ports.Provider, ports.Clock, ports.Log = p.Store, p.Metrics.WrapProvider(p.Provider), p.Clock, p.Log
	ports.Sessions, ports.Passwords, ports.Mail = p.Sessions, p.Passwords, p.Metrics.WrapSender(p.Sender)
	ports.QuoteKey, ports.PreferenceKey, ports.OnQuoteDifference = p.Keys.quotes, p.Keys.preferences, p.Metrics.CountQuoteDifference
	return app.New(ports)
}

// appPorts returns the settings of the use cases. The caller adds the ports.
func (c config) appPorts() app.Ports {
	return app.Ports{
		Catalogue: c.catalogue, PublicURL: c.PublicURL, Brand: c.branding.Name, PostalAddress: postalAddress(c.branding),
		NoBillingEmails: c.BillingEmails == "off", OptionalRenewalReminders: c.RenewalReminders == "optional",
		ReturnURL: c.PublicURL + "/vc-admin/diy/pay?returned=1", MethodReturnURL: c.PublicURL + "/vc-admin/diy/cards?returned=1",
	}
}

// handlerParams contains the parameters of newHandler.
type handlerParams struct {
	fx.In

	Routes   []httpapi.AddRoutes `group:"routes"`
	Config   config
	Log      *slog.Logger
	UseCases *app.UseCases
	Sessions *sessionidentity.Sessions
	XSRF     *sessionidentity.XSRF
	Browsers *sessionidentity.KnownBrowsers
	Store    *sqlstorage.Store
	Provider payment.Provider
	Clock    clock.Clock
	Ready    *readiness
	Metrics  *metrics.Metrics
}

func newHandler(p handlerParams) (http.Handler, error) {
	return httpapi.New(httpapi.Options{
		UseCases: p.UseCases, Sessions: p.Sessions, LoadSession: p.Sessions.Middleware, XSRF: p.XSRF, Clock: p.Clock,
		KnownBrowsers: p.Browsers, Limits: rateLimits(p.Config, p.Store), ProviderCallsPerSecond: providerCalls(p.Config),
		TrustedProxies: p.Config.proxies,
		CheckReady:     p.Ready.check, WebApp: webapp.Dist(), Catalogue: p.Config.catalogue, Capabilities: p.Provider.Capabilities(),
		Site: siteOf(p.Config), Routes: p.Routes, Log: p.Log,
		ObserveResponse: func(r httpapi.Response) { p.Metrics.ObserveRequest(r.Method, r.Route, r.Status, r.Duration) },
	})
}

// siteOf returns the settings of the HTTP API.
func siteOf(c config) httpapi.Site {
	return httpapi.Site{
		PublicURL: c.PublicURL, MeetingURL: c.MeetingURL, Payments: c.payment().web(c),
		SalesEmail: c.SalesEmail, SalesPhone: c.SalesPhone, Branding: c.branding, Live: c.Live, LoginQuery: c.loginQuery,
		// Optional reminders are not promised, because recipients can turn them off.
		ChargeReminders: c.BillingEmails == "on" && c.RenewalReminders == "required",
	}
}

// rateLimits returns nil with DIY_RATE_LIMITS=off.
func rateLimits(c config, store *sqlstorage.Store) ratelimit.Counters {
	if c.RateLimits == "off" {
		return nil
	}
	return store.RateLimits()
}

// providerCalls returns the budget of calls per second to the payment provider, or 0 for no limit.
func providerCalls(c config) int {
	if c.RateLimits == "off" {
		return 0
	}
	return c.ProviderCalls
}
