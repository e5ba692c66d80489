package diycmd

import (
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

// devRoutes provides routes under /dev/ for an adapter. They respond only to a loopback Host header or
// the host of DIY_PUBLIC_URL: this prevents DNS rebinding.
func devRoutes[T any](c config, routes func(T) func(chi.Router)) any {
	return fx.Annotate(func(adapter T) httpapi.Routes {
		return func(r chi.Router) {
			r.Group(func(r chi.Router) {
				r.Use(requireKnownHost(c.PublicURL))
				routes(adapter)(r)
			})
		}
	}, fx.ResultTags(`group:"routes"`))
}

// mailboxRoutes shows the emails that production would send.
func mailboxRoutes(box *devmail.Mailbox) func(chi.Router) {
	return func(r chi.Router) {
		r.Method(http.MethodGet, "/dev/mailbox.json", box.JSON())
		r.Method(http.MethodGet, "/dev/mailbox", box.Page())
	}
}

// exampleRoutes shows all emails with example data.
func exampleRoutes(c config) func(chi.Router) {
	ports := c.appPorts()
	var list []devmail.Example
	for _, e := range examples.All(emails.Sender{Brand: ports.Brand, Address: ports.PostalAddress}, c.PublicURL) {
		list = append(list, devmail.Example(e))
	}
	page := devmail.Examples(list)
	return func(r chi.Router) {
		r.Method(http.MethodGet, "/dev/emails", page)
		r.Method(http.MethodGet, "/dev/emails.json", page)
		r.Method(http.MethodGet, "/dev/mailbox.css", devmail.Stylesheet())
	}
}

// componentRoutes shows the components of the web app in all their states.
func componentRoutes(config) func(chi.Router) {
	files := webapp.Components()
	return func(r chi.Router) {
		r.Get("/dev/components", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, "index.html") })
		r.Method(http.MethodGet, "/dev/components/*", http.StripPrefix("/dev/components/", http.FileServerFS(files)))
	}
}

// clockRoutes shows the development clock and moves it forwards.
func clockRoutes(clock *devclock.Clock) func(chi.Router) {
	return func(r chi.Router) {
		r.Method(http.MethodGet, "/dev/clock", clock)
		r.Method(http.MethodPost, "/dev/clock", clock)
	}
}

// requireKnownHost refuses requests whose Host is neither a loopback host nor that of the public URL.
func requireKnownHost(publicURL string) func(http.Handler) http.Handler {
	var public string
	if u, err := url.Parse(publicURL); err == nil {
		public = u.Host
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Host != public && !isLoopbackHost(r.Host) {
				httpapi.WriteError(w,
					fault.New(fault.Forbidden,
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
