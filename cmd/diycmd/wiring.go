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
	"github.com/vc-admin/diy/adapters/onetimecodes"
	"github.com/vc-admin/diy/adapters/passkeys"
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
		c.PublicURL = localURL(l.public.Addr().String())
	}
	return fx.New(
		fx.Supply(
			c, store, log, l.admin,
			fx.Annotate(l.public, fx.As(new(net.Listener))), fx.Annotate(store, fx.As(new(storage.Store))),
		),
		fx.WithLogger(func() fxevent.Logger { return newFxLogger(log) }),
		fx.StartTimeout(startTimeout),
		adapterOptions(c),
		crashPoints(),
		fx.Provide(
			newSessions, newXSRF, newAppKeys, newKnownBrowsers, newMetrics, newUseCases, newConsole, newReadiness, newHandler, newPublicServer,
			fx.Annotate(sessionidentity.NewPasswords, fx.As(new(identity.Passwords))),
		),
		fx.Invoke(useAuditClock, runAdminServer, runAppWorkers, func(*httpServer) {}),
	)
}

// newFxLogger returns a logger that logs the events of fx at debug level and its failures as errors.
func newFxLogger(log *slog.Logger) fxevent.Logger {
	l := &fxevent.SlogLogger{Logger: log}
	l.UseLogLevel(slog.LevelDebug)
	return l
}

// useAuditClock gives the entries of the audit log the times of the application.
func useAuditClock(store *sqlstorage.Store, clock clock.Clock) { store.UseAuditClock(clock.Now) }

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
	key, err := loadSecret(store, "xsrf")
	if err != nil {
		return nil, err
	}
	return sessionidentity.NewXSRF(sessions, key)
}

func newKnownBrowsers(c config, store *sqlstorage.Store) (*sessionidentity.KnownBrowsers, error) {
	key, err := loadSecret(store, "browsers")
	if err != nil {
		return nil, err
	}
	return sessionidentity.NewKnownBrowsers(key, strings.HasPrefix(c.PublicURL, "https://"))
}

// loadSecret returns a random key that all servers on the database share.
func loadSecret(store *sqlstorage.Store, name string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	return store.Secret(ctx, name)
}

// appKeys contains the secret keys of the use cases.
type appKeys struct{ quotes, preferences, states, trialCards []byte }

func newAppKeys(store *sqlstorage.Store) (keys appKeys, err error) {
	for name, key := range map[string]*[]byte{
		"quotes": &keys.quotes, "email preferences": &keys.preferences, "security states": &keys.states, "trial cards": &keys.trialCards,
	} {
		if *key, err = loadSecret(store, name); err != nil {
			return keys, err
		}
	}
	return keys, nil
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

func newUseCases(p useCaseParams) (*app.UseCases, error) {
	ports := p.Config.appPorts()
	ports.Store, ports.Provider, ports.Clock, ports.Log = p.Store, p.Metrics.WrapProvider(p.Provider), p.Clock, p.Log
	ports.Sessions, ports.Passwords, ports.Mail = p.Sessions, p.Passwords, p.Metrics.WrapSender(p.Sender)
	ports.QuoteKey, ports.PreferenceKey, ports.OnQuoteDifference = p.Keys.quotes, p.Keys.preferences, p.Metrics.CountQuoteDifference
	ports.TrialCardKey = p.Keys.trialCards
	ports.StateKey, ports.Codes = p.Keys.states, onetimecodes.Codes{}
	if passkeys.IsSupported(p.Config.PublicURL) {
		adapter, err := passkeys.New(p.Config.PublicURL, p.Config.branding.Name)
		if err != nil {
			return nil, err
		}
		ports.Passkeys = adapter
	}
	return app.New(ports), nil
}

// appPorts returns the settings of the use cases. The caller adds the ports.
func (c config) appPorts() app.Ports {
	return app.Ports{
		Catalogue: c.catalogue, PublicURL: c.PublicURL, Brand: c.branding.Name,
		PostalAddress:   postalAddressLines(c.branding, c.SalesEmail),
		KeepYears:       c.KeepYears,
		NoBillingEmails: c.BillingEmails == "off", OptionalRenewalReminders: c.RenewalReminders == "optional",
		RefuseTrialCards: c.TrialCards == "refuse",
		ReturnURL:        c.PublicURL + "/vc-admin/diy/pay?returned=1", MethodReturnURL: c.PublicURL + "/vc-admin/diy/cards?returned=1",
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
		KnownBrowsers: p.Browsers, Limits: rateLimitCounters(p.Config, p.Store),
		ProviderCallsPerSecond: providerCallsPerSecond(p.Config), TrustedProxies: p.Config.trustedProxies,
		CheckReady: p.Ready.checkReady, WebApp: webapp.Dist(), Catalogue: p.Config.catalogue, Capabilities: p.Provider.Capabilities(),
		CommonPasswords: sessionidentity.CommonPasswords(),
		Site:            newSite(p.Config), Routes: p.Routes, Log: p.Log,
		ObserveResponse: func(r httpapi.Response) { p.Metrics.ObserveRequest(r.Method, r.Route, r.Status, r.Duration) },
	})
}

// newSite returns the settings of the HTTP API.
func newSite(c config) httpapi.Site {
	return httpapi.Site{
		PublicURL: c.PublicURL, MeetingURL: c.MeetingURL, Payments: c.integration().webConfig(c),
		SalesEmail: c.SalesEmail, SalesPhone: c.SalesPhone, Branding: c.branding, Live: c.Live, LoginQuery: c.loginQuery,
		Passkeys:      passkeys.IsSupported(c.PublicURL),
		BillingEmails: c.BillingEmails == "on",
		// Optional reminders are not promised, because recipients can turn them off.
		ChargeReminders: c.BillingEmails == "on" && c.RenewalReminders == "required",
	}
}

// rateLimitCounters returns nil with DIY_RATE_LIMITS=off.
func rateLimitCounters(c config, store *sqlstorage.Store) ratelimit.Counters {
	if c.RateLimits == "off" {
		return nil
	}
	return store.RateLimits()
}

// providerCallsPerSecond returns the budget of calls per second to the payment provider, or 0 for no limit.
func providerCallsPerSecond(c config) int {
	if c.RateLimits == "off" {
		return 0
	}
	return c.ProviderCallsPerSecond
}
