package diycmd

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"

	"github.com/go-chi/chi/v5"
)

// devPage is a development page in the list of /dev.
type devPage struct{ Path, Description string }

var devPages = []devPage{
	{"/dev/mailbox", "The emails that were sent, as text and HTML"},
	{"/dev/emails", "All emails with example data"},
	{"/dev/components", "Every component of the web app in all its states"},
	{"/dev/clock", "The current time of the application"},
}

//go:embed dev_index.html
var devIndexSource string

var devIndex = template.Must(template.New("dev_index.html").Parse(devIndexSource))

// indexRoutes lists the development pages that this server has: the mailbox and the clock depend on the settings.
func indexRoutes(config) func(chi.Router) {
	return func(r chi.Router) {
		r.Get("/dev", func(w http.ResponseWriter, r *http.Request) {
			routes := chi.RouteContext(r.Context()).Routes
			var served []devPage
			for _, page := range devPages {
				if routes.Match(chi.NewRouteContext(), http.MethodGet, page.Path) {
					served = append(served, page)
				}
			}
			var b bytes.Buffer
			if err := devIndex.Execute(&b, served); err != nil {
				panic(err) // unreachable: the template and its data are fixed
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = b.WriteTo(w) // the browser may be gone
		})
	}
}
