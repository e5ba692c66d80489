package diycmd

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"
	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devmail"
	"github.com/vc-admin/diy/adapters/devpanel"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/httpapi"
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/emails/examples"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/webapp"
)

// provideDevRoutes provides routes under /dev/ for an adapter. To prevent DNS rebinding, they respond only if the
// Host header is a loopback host or the host of DIY_PUBLIC_URL.
func provideDevRoutes[T any](c config, routes func(T) func(chi.Router)) any {
	return fx.Annotate(func(adapter T) httpapi.AddRoutes {
		return func(r chi.Router) {
			r.Group(func(r chi.Router) {
				r.Use(requireKnownHost(c.PublicURL))
				routes(adapter)(r)
			})
		}
	}, fx.ResultTags(`group:"routes"`))
}

// mailboxRoutes serves the emails that production would send.
func mailboxRoutes(mailbox *devmail.Mailbox) func(chi.Router) {
	return func(r chi.Router) {
		r.Method(http.MethodGet, "/dev/mailbox.json", mailbox.JSONHandler())
		r.Method(http.MethodGet, "/dev/mailbox", mailbox.PageHandler())
	}
}

// exampleRoutes serves all emails with example data.
func exampleRoutes(c config) func(chi.Router) {
	ports := c.appPorts()
	var exampleEmails []devmail.Example
	for _, e := range examples.All(emails.Sender{Brand: ports.Brand, Address: ports.PostalAddress}, c.PublicURL) {
		exampleEmails = append(exampleEmails, devmail.Example(e))
	}
	page := devmail.ExamplesHandler(exampleEmails)
	return func(r chi.Router) {
		r.Method(http.MethodGet, "/dev/emails", page)
		r.Method(http.MethodGet, "/dev/emails.json", page)
		r.Method(http.MethodGet, "/dev/mailbox.css", devmail.StylesheetHandler())
	}
}

// componentRoutes serves a page with the components of the web app in all their states.
func componentRoutes(config) func(chi.Router) {
	files := webapp.Components()
	return func(r chi.Router) {
		r.Get("/dev/components", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, "index.html") })
		r.Method(http.MethodGet, "/dev/components/*", http.StripPrefix("/dev/components/", http.FileServerFS(files)))
	}
}

// clockRoutes serves the development clock. A POST request moves it forwards.
func clockRoutes(clock *devclock.Clock) func(chi.Router) {
	return func(r chi.Router) {
		r.Method(http.MethodGet, "/dev/clock", clock)
		r.Method(http.MethodPost, "/dev/clock", clock)
	}
}

// devPages contains the pages that the development panel links.
var devPages = []devpanel.Page{
	{Path: "/dev/mailbox", Description: "The emails that were sent, as text and HTML"},
	{Path: "/dev/emails", Description: "All emails with example data"},
	{Path: "/dev/components", Description: "Every component of the web app in all its states"},
	{Path: "/dev/clock", Description: "The current time of the application"},
}

// panelParams contains the dependencies of the development panel. The configuration decides which optional ones exist.
type panelParams struct {
	fx.In

	Config   config
	Clock    *devclock.Clock
	Mailbox  *devmail.Mailbox      `optional:"true"`
	Fake     *fakepayment.Provider `optional:"true"`
	Disputes *disputeHandler       `optional:"true"`
}

// panelRoutes serves the development panel.
func panelRoutes(p panelParams) func(chi.Router) {
	options := devpanel.Options{
		Clock: p.Clock, Pages: servedPages, Fake: p.Fake,
		HasTestCards: p.Config.Payments == "fake" || p.Config.Payments == "fakegateway",
	}
	if p.Mailbox != nil {
		options.Emails = func() (emails []devpanel.Email) {
			for _, e := range p.Mailbox.Emails() {
				emails = append(emails, devpanel.Email{To: e.To, Subject: e.Subject, Text: e.Text, SentAt: e.SentAt})
			}
			return emails
		}
	}
	if p.Disputes != nil {
		options.ChangeDispute = func(ctx context.Context, invoiceNumber, action string) error {
			_, err := p.Disputes.change(ctx, invoiceNumber, action)
			return err
		}
	}
	panel := devpanel.New(options)
	get, post := panel.Paths()
	return func(r chi.Router) {
		for _, path := range get {
			r.Method(http.MethodGet, path, panel)
		}
		for _, path := range post {
			r.Method(http.MethodPost, path, panel)
		}
	}
}

// servedPages returns the pages for developers that this server serves, because the mailbox depends on the settings.
func servedPages(r *http.Request) (pages []devpanel.Page) {
	routes := chi.RouteContext(r.Context()).Routes
	for _, page := range devPages {
		if routes.Match(chi.NewRouteContext(), http.MethodGet, page.Path) {
			pages = append(pages, page)
		}
	}
	return pages
}

// requireKnownHost refuses requests whose Host is neither a loopback host nor that of the public URL.
func requireKnownHost(publicURL string) func(http.Handler) http.Handler {
	var publicHost string
	if u, err := url.Parse(publicURL); err == nil {
		publicHost = u.Host
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Host != publicHost && !isLoopbackHost(r.Host) {
				httpapi.WriteError(w, fault.New(fault.Forbidden,
					"The development tools are available under localhost or the host of DIY_PUBLIC_URL only."))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// isLoopbackHost reports whether a Host header, with or without a port, always means this machine.
func isLoopbackHost(header string) bool {
	host, _, err := net.SplitHostPort(header)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(header, "["), "]")
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}
