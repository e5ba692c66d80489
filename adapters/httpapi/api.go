package httpapi

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// XSRF keeps other sites from acting in a visitor's name.
type XSRF interface {
	// Ensure gives the visitor a token that is good for the present session, unless one is held.
	Ensure(w http.ResponseWriter, r *http.Request)
	// Check reports as a Forbidden fault that the request does not carry the visitor's token.
	Check(r *http.Request) error
}

// Browsers recognises browsers that have proved something before. The name says what: an e-mail
// address stands for a sign-in with it, the id of a user for that user's registration.
type Browsers interface {
	// Known returns the id that this browser was given for the name.
	Known(r *http.Request, name string) (id string, known bool)
	// Remember makes this browser known for the name.
	Remember(w http.ResponseWriter, r *http.Request, name string)
}

// Options is what the face needs besides the use cases.
type Options struct {
	UseCases  *app.UseCases
	Sessions  identity.Sessions
	Session   func(http.Handler) http.Handler // makes the visit's session known to Sessions
	Clock     clock.Clock
	XSRF      XSRF
	Browsers  Browsers
	Limits    ratelimit.Counters        // how often things are tried; nil limits nothing
	Calls     int                       // of the payment provider in a second, about; 0 limits nothing
	Proxies   []netip.Prefix            // the proxies whose X-Forwarded-For is believed
	Ready     func(*http.Request) error // nil when requests can be served
	WebApp    fs.FS                     // the built web app, index.html at its root
	Catalogue *catalogue.Catalogue
	Site      Site
	Routes    []Routes
	Log       *slog.Logger
	Observe   func(Answer) // told of every answer; nil tells nobody
}

// Routes adds routes that do not belong to the product's wire, such as the development tools.
type Routes func(chi.Router)

type api struct {
	Options
	config document
	wire   document // the description of it
	web    webApp

	provider *providerBudget
}

// New makes the handler of everything the server answers.
func New(o Options) (http.Handler, error) {
	if o.Site.Payments.WebhookPath == "" || o.Site.Payments.SignatureHeader == "" {
		return nil, errors.New("the payment provider does not say where its events arrive and what signs them")
	}
	config, err := newConfigDocument(o)
	if err != nil {
		return nil, err
	}
	web, err := newWebApp(o.WebApp)
	if err != nil {
		return nil, err
	}
	if o.Observe == nil {
		o.Observe = func(Answer) {}
	}
	a := &api{Options: o, config: config, wire: newDocument("application/yaml", OpenAPI), web: web, provider: newProviderBudget(o.Calls)}
	return a.router(), nil
}

func (a *api) router() http.Handler {
	r := chi.NewRouter()
	r.Use(requestID, a.watch, a.recoverer, securityHeaders(a.Site), a.warnOfUntrustedProxy, knowClient(a.Proxies), middleware.GetHead)
	r.NotFound(a.handle(func(http.ResponseWriter, *http.Request) error { return errNoRoute }))
	r.MethodNotAllowed(a.handle(func(w http.ResponseWriter, request *http.Request) error {
		w.Header().Set("Allow", allowed(r, request.URL.EscapedPath()))
		return errMethod
	}))
	r.With(limitBody(maxEventBody)).Post("/vc-admin/webhooks/"+a.Site.Payments.WebhookPath, a.handle(a.receiveEvent))
	r.Group(func(r chi.Router) {
		r.Use(limitBody(maxBody))
		r.Get("/healthz", a.handle(a.alive))
		r.Get("/readyz", a.handle(a.ready))
		for _, add := range a.Routes {
			add(r)
		}
		r.Group(a.open)
		r.Group(a.pages)
		r.Group(a.calls)
	})
	return r
}

// open answers everybody alike: it costs nobody a look at their session.
func (a *api) open(r chi.Router) {
	r.Get("/", a.handle(a.root))
	r.Get("/vc-admin/diy", a.handle(a.toPlans))
	r.Get("/vc-admin/diy/openapi.yaml", a.handle(a.showOpenAPI))
	r.Get("/vc-admin/diy/*", a.fileOr(a.Session(a.handle(a.page))))
	r.Get("/vc-admin/auth/verify", a.handle(a.verifyEmail))
}

// pages are what a browser opens. They bring an XSRF token that is good for its session.
func (a *api) pages(r chi.Router) {
	r.Use(a.Session)
	r.Get("/vc-admin/dash", a.handle(a.page))
	r.Get("/vc-admin/dash/", a.handle(a.page))
	r.Get("/vc-admin/diy/config.json", a.handle(a.showConfig))
	r.Get("/vc-admin/auth/logout", a.handle(a.signOut))
	r.Get("/vc-admin/auth/confirm", a.handle(a.tokenPage))
	r.Get("/vc-admin/auth/forgot", a.handle(a.page))
	r.Get("/vc-admin/auth/reset", a.handle(a.tokenPage))
}

// calls are what the web app asks for.
func (a *api) calls(r chi.Router) {
	r.Use(a.Session, a.guard)
	r.Post("/auth/login", a.handle(a.signIn))
	r.Post("/vc-admin/auth/verify/resend", a.handle(a.resendVerification))
	r.Post("/vc-admin/auth/verify/show", a.handle(a.showRegistration))
	r.Post("/vc-admin/auth/verify/confirm", a.handle(a.confirmRegistration))
	r.Post("/vc-admin/auth/verify/reject", a.handle(a.rejectRegistration))
	r.Post("/vc-admin/auth/password/forgot", a.handle(a.forgotPassword))
	r.Post("/vc-admin/auth/password/reset", a.handle(a.resetPassword))
	r.Post("/vc-admin/signup", a.handle(a.signUp))
	r.Post("/vc-admin/user-diy/new-user", a.handle(a.signUp))
	r.Get("/vc-admin/user/detail", a.handle(a.userDetail))

	r.Get("/vc-admin/org/detail/{orgId}", a.identified(a.orgDetail))
	r.Post("/vc-admin/org/customer", a.identified(a.budgeted(providerRead, a.customer)))
	r.Post("/vc-admin/org/customer/edit", a.identified(a.budgeted(providerWrite, a.limitedBy(paymentUses, a.editCustomer))))
	r.Get("/vc-admin/org/customer/cards", a.identified(a.budgeted(providerRead, a.listCards)))
	r.Post("/vc-admin/org/customer/cards/add", a.identified(a.budgeted(providerWrite, a.limitedBy(cardUses, a.addCard))))
	r.Post("/vc-admin/org/customer/cards/del", a.identified(a.budgeted(providerWrite, a.deleteCard)))
	r.Post("/vc-admin/org/subscription/list", a.identified(a.budgeted(providerRead, a.listSubscriptions)))
	r.Post("/vc-admin/org/subscription/update", a.identified(a.budgeted(providerWrite, a.limitedBy(paymentUses, a.changePlan))))
	r.Post("/vc-admin/org/subscription/pay", a.identified(a.budgeted(providerWrite, a.limitedBy(cardUses, a.payOpenInvoice))))
	r.Post("/vc-admin/org/subscription/pending/cancel", a.identified(a.budgeted(providerWrite, a.limitedBy(paymentUses, a.cancelPendingChange))))
	r.Post("/vc-admin/user-diy/new-customer", a.identified(a.budgeted(providerWrite, a.limitedBy(paymentUses, a.newCustomer))))
	r.Post("/vc-admin/user-diy/subscribe", a.identified(a.budgeted(providerWrite, a.limitedBy(paymentUses, a.subscribe))))
}
