// Package httpapi serves the web app and the JSON API that it and other front ends use. openapi.yaml describes the API.
// The tests validate every request and response against this file.
//
// A request passes through logging, panic recovery, security headers, the body limit, the session and
// XSRF protection. Its handler decodes the request, calls one use case and converts the result.
// errors.go converts errors to a status and an error body. JSON field names and error names are defined only in
// this package.
package httpapi

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// XSRF issues and checks the tokens that protect against cross-site request forgery.
type XSRF interface {
	// EnsureToken sets the token cookie unless the browser has a valid token for its session.
	EnsureToken(w http.ResponseWriter, r *http.Request)
	// Check returns a Forbidden fault unless the request has a valid token.
	Check(r *http.Request) error
}

// KnownBrowsers recognises browsers by a cookie. The cookie remembers two kinds of identifiers: the email addresses of
// users who signed in with the browser, for its own rate limits; and the users who signed in or registered with it, each
// with the security revision.
type KnownBrowsers interface {
	// Recognise reports whether Remember was called for this browser and the identifier. It returns the ID that Remember
	// gave the browser.
	Recognise(r *http.Request, identifier string) (id string, known bool)
	// Remember sets the cookie with which Recognise recognises this browser and the identifiers, which are those of one
	// user. If the browser knows one of these identifiers, they replace the user's earlier ones.
	Remember(w http.ResponseWriter, r *http.Request, identifiers ...string)
}

// Options configure New. Limits, ProviderCallsPerSecond, TrustedProxies, Routes and ObserveResponse are optional.
type Options struct {
	UseCases               *app.UseCases
	Sessions               identity.Sessions
	LoadSession            func(http.Handler) http.Handler // middleware that loads and saves the session of a request
	Clock                  clock.Clock
	XSRF                   XSRF
	KnownBrowsers          KnownBrowsers
	Limits                 ratelimit.Counters        // nil disables rate limits
	ProviderCallsPerSecond int                       // maximum calls per second to the payment provider; 0 for no limit
	TrustedProxies         []netip.Prefix            // proxies whose X-Forwarded-For is trusted
	CheckReady             func(*http.Request) error // returns an error if requests can't be served
	WebApp                 fs.FS                     // the built web app with index.html at its root
	Catalogue              *catalogue.Catalogue
	Capabilities           payment.Capabilities // of the payment provider, for config.json
	CommonPasswords        []string             // the passwords for which identity.Passwords.IsCommon is true, in lower case
	Site                   Site
	Routes                 []AddRoutes
	Log                    *slog.Logger
	ObserveResponse        func(Response) // called after every response
}

// AddRoutes adds routes that are not part of the API, such as development tools.
type AddRoutes func(chi.Router)

type api struct {
	Options
	config          document
	openAPI         document
	commonPasswords document
	web             webApp
	plans           []catalogue.Plan // cached, because Catalogue.Plans returns a copy on each call
	budget          *providerBudget
}

// New returns the handler of all routes.
func New(o Options) (http.Handler, error) {
	if o.Capabilities.Has(payment.Webhooks) && o.Site.Payments.WebhookPath == "" {
		return nil, errors.New("the payment provider sends events but has no webhook path")
	}
	o.Catalogue = o.Capabilities.Offer(o.Catalogue)
	passwords, err := json.Marshal(commonPasswordsWire{append([]string{}, o.CommonPasswords...)})
	if err != nil {
		return nil, err
	}
	config, err := newConfigDocument(o)
	if err != nil {
		return nil, err
	}
	web, err := newWebApp(o.WebApp)
	if err != nil {
		return nil, err
	}
	if o.ObserveResponse == nil {
		o.ObserveResponse = func(Response) {}
	}
	a := &api{
		Options: o, config: config, openAPI: newDocument("application/yaml", OpenAPI), web: web,
		commonPasswords: newDocument("application/json", passwords),
		plans:           o.Catalogue.Plans(), budget: newProviderBudget(o.ProviderCallsPerSecond),
	}
	return a.router(), nil
}

func (a *api) router() http.Handler {
	r := chi.NewRouter()
	r.Use(a.withRequestContext, a.logResponses, a.recoverPanics, setSecurityHeaders(a.Site), a.warnAboutUntrustedProxy,
		middleware.GetHead)
	r.NotFound(a.handler(func(http.ResponseWriter, *http.Request) error { return errNoRoute }))
	r.MethodNotAllowed(a.handler(func(w http.ResponseWriter, request *http.Request) error {
		w.Header().Set("Allow", allowedMethods(r, request.URL.EscapedPath()))
		return errMethodNotAllowed
	}))
	if path := a.Site.Payments.WebhookPath; path != "" {
		r.With(limitBody(maxEventBodyBytes)).Post("/vc-admin/webhooks/"+path, a.handler(a.receiveEvent))
	}
	r.Group(func(r chi.Router) {
		r.Use(limitBody(maxBodyBytes))
		r.Get("/healthz", a.handler(a.healthz))
		r.Get("/readyz", a.handler(a.readyz))
		for _, addRoutes := range a.Routes {
			addRoutes(r)
		}
		r.Group(a.publicRoutes)
		r.Group(a.sessionRoutes)
		r.Group(a.apiRoutes)
	})
	return r
}

// publicRoutes adds the routes without a session. They neither load the session nor set its cookie.
func (a *api) publicRoutes(r chi.Router) {
	r.Get("/", a.handler(a.serveHome))
	r.Get("/vc-admin/diy", a.handler(a.redirectToPlans))
	r.Get("/vc-admin/diy/openapi.yaml", a.handler(a.serveOpenAPI))
	r.Get("/vc-admin/diy/common-passwords.json", a.handler(a.serveCommonPasswords))
	r.Get("/vc-admin/diy/*", a.handler(a.serveFileOrPage))
	r.Get("/vc-admin/dash", a.handler(a.servePage))
	r.Get("/vc-admin/dash/", a.handler(a.servePage))
	r.Get("/vc-admin/auth/verify", a.handler(a.verifyEmail))
	r.Get("/vc-admin/auth/confirm", a.handler(a.serveTokenPage))
	r.Get("/vc-admin/auth/forgot", a.handler(a.servePage))
	r.Get("/vc-admin/auth/reset", a.handler(a.serveTokenPage))
	r.Get("/vc-admin/auth/billing-email", a.handler(a.serveTokenPage))
	r.Get("/vc-admin/auth/email", a.handler(a.serveTokenPage))
	r.Get("/vc-admin/auth/undo", a.handler(a.serveTokenPage))
	r.Get("/vc-admin/auth/invitation", a.handler(a.serveTokenPage))
	r.Get("/vc-admin/auth/emails", a.handler(a.serveTokenPage))
	r.Post("/vc-admin/auth/emails", a.handler(a.unsubscribe))
}

// sessionRoutes adds the routes with a session but without XSRF protection. config.json gives the browser its first XSRF
// token.
func (a *api) sessionRoutes(r chi.Router) {
	r.Use(a.LoadSession)
	r.Get("/vc-admin/diy/config.json", a.handler(a.serveConfig))
	r.Get("/vc-admin/auth/logout", a.handler(a.signOut))
}

// apiRoutes adds the routes with a session and XSRF protection.
func (a *api) apiRoutes(r chi.Router) {
	r.Use(a.LoadSession, a.protectFromXSRF)
	a.authRoutes(r)
	r.Get("/vc-admin/user/detail", a.handler(a.describeUser))

	r.Get("/vc-admin/org/detail/{orgId}", a.requireUser(a.showOrganisation))
	r.Post("/vc-admin/org/customer", a.requireUser(a.withBudget(providerRead, a.showCustomer)))
	r.Post("/vc-admin/org/customer/edit",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(paymentLimits, a.editCustomer))))
	r.Get("/vc-admin/org/customer/cards", a.requireUser(a.withBudget(providerRead, a.listCards)))
	r.Post("/vc-admin/org/customer/cards/add",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(cardLimits, a.addCard))))
	r.Post("/vc-admin/org/customer/cards/page",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(cardLimits, a.setUpMethod))))
	r.Post("/vc-admin/org/customer/cards/del", a.requireUser(a.withBudget(providerWrite, a.deleteCard)))
	r.Get("/vc-admin/org/billing/details", a.requireUser(a.showBillingDetails))
	r.Post("/vc-admin/org/billing/edit",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(detailsLimits, a.editBillingDetails))))
	r.Post("/vc-admin/org/billing/email/resend", a.requireUser(a.resendBillingEmail))
	r.Post("/vc-admin/user-diy/new-customer",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(paymentLimits, a.createCustomer))))
	a.userAccountRoutes(r)
	a.factorRoutes(r)
	a.memberRoutes(r)
	a.privacyRoutes(r)
	a.invoiceRoutes(r)
	a.subscriptionRoutes(r)
}

// authRoutes adds the routes about registering, signing in and the links in emails.
func (a *api) authRoutes(r chi.Router) {
	r.Post("/auth/login", a.handler(a.signIn))
	r.Post("/vc-admin/auth/passkey/options", a.handler(a.requestPasskey))
	r.Post("/vc-admin/auth/passkey", a.handler(a.signInWithPasskey))
	r.Post("/vc-admin/auth/verify/resend", a.handler(a.resendVerification))
	r.Post("/vc-admin/auth/verify/show", a.handler(a.showRegistration))
	r.Post("/vc-admin/auth/verify/confirm", a.handler(a.confirmRegistration))
	r.Post("/vc-admin/auth/verify/reject", a.handler(a.rejectRegistration))
	r.Post("/vc-admin/auth/password/forgot", a.handler(a.forgotPassword))
	r.Post("/vc-admin/auth/password/reset", a.handler(a.resetPassword))
	r.Post("/vc-admin/auth/billing-email/show", a.handler(a.showBillingEmail))
	r.Post("/vc-admin/auth/billing-email/confirm", a.handler(a.confirmBillingEmail))
	r.Post("/vc-admin/auth/email/show", a.handler(a.showEmailChange))
	r.Post("/vc-admin/auth/email/confirm", a.requireUser(a.confirmEmailChange))
	r.Post("/vc-admin/auth/undo/show", a.handler(a.showUndo))
	r.Post("/vc-admin/auth/undo/confirm", a.handler(a.undoChange))
	r.Post("/vc-admin/auth/emails/show", a.handler(a.showEmailPreferences))
	r.Post("/vc-admin/auth/emails/edit", a.handler(a.editEmailPreferences))
	r.Post("/vc-admin/signup", a.handler(a.signUp))
	r.Post("/vc-admin/user-diy/new-user", a.handler(a.signUp))
}

// invoiceRoutes adds the routes about the invoices of the user's organisation.
func (a *api) invoiceRoutes(r chi.Router) {
	r.Post("/vc-admin/org/invoices/list", a.requireUser(a.withBudget(providerRead, a.listInvoices)))
	r.Get("/vc-admin/org/invoices/{id}/pdf", a.requireUser(a.withBudget(providerRead, a.serveInvoicePDF)))
	r.Get("/vc-admin/org/invoices/{id}/credit-notes/{number}/pdf",
		a.requireUser(a.withBudget(providerRead, a.serveCreditNotePDF)))
	r.Post("/vc-admin/org/invoices/{id}/transfer", a.requireUser(a.withRateLimits(perOrganisation(transferReportsPerOrganisation), a.reportTransfer)))
}

// subscriptionRoutes adds the routes about the subscription of the user's organisation.
func (a *api) subscriptionRoutes(r chi.Router) {
	r.Post("/vc-admin/org/subscription/list", a.requireUser(a.withBudget(providerRead, a.listSubscriptions)))
	r.Post("/vc-admin/org/subscription/update",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(paymentLimits, a.changePlan))))
	r.Post("/vc-admin/org/subscription/pay",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(cardLimits, a.payOpenInvoice))))
	r.Post("/vc-admin/org/subscription/pending/cancel",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(paymentLimits, a.cancelPendingChange))))
	r.Post("/vc-admin/org/subscription/quote",
		a.requireUser(a.withBudget(providerRead, a.withRateLimits(quoteLimits, a.quotePrice))))
	r.Post("/vc-admin/org/subscription/scheduled/cancel",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(paymentLimits, a.cancelScheduledChange))))
	r.Post("/vc-admin/org/subscription/cancel",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(paymentLimits, a.endSubscription))))
	r.Post("/vc-admin/org/subscription/resume",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(paymentLimits, a.resumeSubscription))))
	r.Get("/vc-admin/org/billing", a.requireUser(a.withBudget(providerRead, a.showBilling)))
	r.Post("/vc-admin/user-diy/subscribe",
		a.requireUser(a.withBudget(providerWrite, a.withRateLimits(paymentLimits, a.subscribe))))
}

// healthz responds with 200 while the process runs.
func (a *api) healthz(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, emptyObject{})
}

// readyz responds with 200 when requests can be served.
func (a *api) readyz(w http.ResponseWriter, r *http.Request) error {
	if err := a.CheckReady(r); err != nil {
		return fault.Wrap(err, fault.Unavailable, "Not ready yet.")
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}
