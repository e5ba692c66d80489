package diycmd

import (
	"bytes"
	_ "embed" // the page /dev
	"html/template"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"
	"go.uber.org/fx"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devmail"
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

// devPage is an entry in the list of development pages at /dev.
type devPage struct{ Path, Description string }

var devPages = []devPage{
	{"/dev/mailbox", "The emails that were sent, as text and HTML"},
	{"/dev/emails", "All emails with example data"},
	{"/dev/components", "Every component of the web app in all its states"},
	{"/dev/clock", "The current time of the application"},
}

//go:embed dev_index.html
var devIndexSource string

var devIndexTemplate = template.Must(template.New("dev_index.html").Parse(devIndexSource))

// indexRoutes serves a list of the development pages. It contains only pages that this server serves, because the
// mailbox and the clock depend on the settings.
func indexRoutes(config) func(chi.Router) {
	return func(r chi.Router) {
		r.Get("/dev", func(w http.ResponseWriter, r *http.Request) {
			routes := chi.RouteContext(r.Context()).Routes
			var pages []devPage
			for _, page := range devPages {
				if routes.Match(chi.NewRouteContext(), http.MethodGet, page.Path) {
					pages = append(pages, page)
				}
			}
			var b bytes.Buffer
			if err := devIndexTemplate.Execute(&b, pages); err != nil {
				panic(err) // the template and its data are fixed
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = b.WriteTo(w) // fails if the browser has disconnected
		})
	}
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
