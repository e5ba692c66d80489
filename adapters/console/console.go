// Package console serves the operator console at /console: pages of HTML for the people who run the product, without any
// script. It has no users of its own. A proxy authenticates the operators and names them in headers, which Proxy checks;
// in development, Developer accepts every request as one of an operator with all roles.
//
// routes lists all pages with the permission that each needs. The use cases of app/operators check it again.
package console

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/ratelimit"
	"github.com/vc-admin/diy/ports/trace"
)

// Path is the path of the console. The caller passes requests for it and below it to the Console.
const Path = "/console"

const maxBody = 64 << 10

// policy permits no script, and only the console's own style sheet, images and forms.
const policy = "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'"

// Options configure a Console. All fields are required, except Host and Views.
type Options struct {
	UseCases  *app.UseCases
	Identify  Identify
	Host      string             // the only accepted Host of requests; "" if the caller checks it
	Key       []byte             // signs the tokens of forms; all servers need the same
	Views     ratelimit.Counters // limit how many organisations an operator views; nil for no limit
	Catalogue *catalogue.Catalogue
	Clock     clock.Clock
	Log       *slog.Logger
	Brand     string // the name of the product
	Version   string
	Provider  string // the payment provider, for the foot of pages
}

// Console is a handler of the operator console.
type Console struct {
	Options
	handler http.Handler
}

// New returns the console.
func New(o Options) *Console {
	c := &Console{Options: o}
	mux := http.NewServeMux()
	for _, r := range c.routes() {
		mux.HandleFunc(r.pattern, c.serve(r))
	}
	mux.HandleFunc("/", c.serve(route{permission: operators.MayOpenConsole, handle: func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.NotFound, "There is no such page.")
	}}))
	c.handler = c.withRequestContext(c.recoverPanics(c.checkOrigin(mux)))
	return c
}

// ServeHTTP implements http.Handler.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.handler.ServeHTTP(w, r) }

// route is a page or a form with the permission that it needs.
type route struct {
	pattern    string // of http.ServeMux
	permission operators.Permission
	handle     func(w http.ResponseWriter, r *http.Request) error
}

// routes returns all routes of the console.
func (c *Console) routes() []route {
	routes := []route{
		{"GET /console", operators.MayOpenConsole, c.showStart},
		{"GET /console/console.css", operators.MayOpenConsole, c.serveStyles},
		{"GET /console/search", operators.MaySearch, c.showSearch},
		{"GET /console/organisations/{id}", operators.MayViewOrganisation, c.showOrganisation},
		{"GET /console/attention", operators.MayViewAttention, c.showAttention},
		{"GET /console/work", operators.MayViewWork, c.showWork},
		{"GET /console/transfers", operators.MayViewTransfers, c.showTransfers},
		{"GET /console/privacy", operators.MayViewKeptInvoices, c.showPrivacy},
		{"GET /console/organisations/{id}/export", operators.MayExportData, c.exportData},
		{"GET /console/audit", operators.MayViewAuditLog, c.showAuditLog},
		{"GET /console/audit/export", operators.MayExportAuditLog, c.exportAuditLog},
	}
	return append(routes, c.actionRoutes()...)
}

// withRequestContext adds a trace id, sets the headers of all responses, and limits the body.
func (c *Console) withRequestContext(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := trace.NewID()
		r = r.WithContext(trace.WithID(r.Context(), id))
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		for name, value := range map[string]string{
			"X-Request-Id": id, "Content-Security-Policy": policy, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
			"X-Content-Type-Options": "nosniff", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY",
		} {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}

// recoverPanics responds with an internal error when a handler panics, and logs the stack.
func (c *Console) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			if p != nil {
				c.Log.ErrorContext(r.Context(), "panic", "stack", string(debug.Stack()))
				c.respondError(w, r, fault.Newf(fault.Internal, "panic: %v", p))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// checkOrigin refuses forms of other websites, and requests for another host. A page of another website could send such
// requests after DNS rebinding.
func (c *Console) checkOrigin(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case c.Host != "" && !strings.EqualFold(r.Host, c.Host):
			c.respondError(w, r, fault.New(fault.Forbidden, "The console is available under the address of DIY_ADMIN_URL only."))
		case protection.Check(r) != nil:
			c.respondError(w, r, fault.New(fault.Forbidden, "Forms of other websites are refused."))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// serve returns the handler of a route. It identifies the operator and checks the permission. It logs the request with
// the route, but without the query, which can contain personal data.
func (c *Console) serve(route route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		operator, err := c.Identify(r)
		if err == nil {
			r = r.WithContext(operators.WithOperator(r.Context(), operator))
			err = operators.Require(r.Context(), route.permission)
		}
		if err == nil {
			err = route.handle(w, r)
		}
		if err != nil {
			c.respondError(w, r, err)
		}
		c.Log.InfoContext(r.Context(), "console request", "route", route.pattern, "operator", operator.Name, "error", fault.CodeOf(err))
	}
}

//go:embed page
var pageFiles embed.FS

// pages contains the template of each page within the layout.
var pages = parsePages("search", "organisation", "attention", "work", "transfers", "privacy", "audit", "action", "error")

func parsePages(names ...string) map[string]*template.Template {
	layout := template.Must(template.New("layout.html").Funcs(functions).ParseFS(pageFiles, "page/layout.html"))
	pages := map[string]*template.Template{}
	for _, name := range names {
		pages[name] = template.Must(template.Must(layout.Clone()).ParseFS(pageFiles, "page/"+name+".html"))
	}
	return pages
}

// view is the input of the layout. Data is that of the page.
type view struct {
	Title    string
	Query    string // in the field of the search
	Here     string // the path of the page in the navigation; "" for none
	Operator operators.Operator
	Nav      []navItem
	Options  Options
	Data     any
}

type navItem struct{ Path, Label string }

// navigation contains the pages of the navigation with the permission of each.
var navigation = []struct {
	navItem
	permission operators.Permission
}{
	{navItem{"/console/attention", "Needs attention"}, operators.MayViewAttention},
	{navItem{"/console/search", "Search"}, operators.MaySearch},
	{navItem{transfersPath, "Transfers"}, operators.MayViewTransfers},
	{navItem{privacyPath, "Privacy"}, operators.MayViewKeptInvoices},
	{navItem{"/console/audit", "Audit log"}, operators.MayViewAuditLog},
	{navItem{"/console/work", "Background work"}, operators.MayViewWork},
}

// MaySearch reports whether the page has the field of the search.
func (v view) MaySearch() bool { return v.Operator.May(operators.MaySearch) }

// MayExport reports whether the page has links to exports of the audit log.
func (v view) MayExport() bool { return v.Operator.May(operators.MayExportAuditLog) }

// MayExportData reports whether the page has a link to the export of an organisation's data.
func (v view) MayExportData() bool { return v.Operator.May(operators.MayExportData) }

// respond writes the page. It completes the view.
func (c *Console) respond(w http.ResponseWriter, r *http.Request, status int, page string, v view) error {
	v.Operator, v.Options = operators.FromContext(r.Context()), c.Options
	for _, item := range navigation {
		if v.Operator.May(item.permission) && (item.Path != transfersPath || c.UseCases.ShowTransfers.IsSupported()) {
			v.Nav = append(v.Nav, item.navItem)
		}
	}
	var b bytes.Buffer
	if err := pages[page].Execute(&b, v); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w) // fails if the browser has disconnected
	return nil
}

// statuses contains the status of responses by the code of the error. Other codes mean 503.
var statuses = map[fault.Code]int{
	fault.Invalid: http.StatusBadRequest, fault.NotFound: http.StatusNotFound, fault.Conflict: http.StatusConflict,
	fault.Forbidden: http.StatusForbidden, fault.RateLimited: http.StatusTooManyRequests, fault.Unsupported: http.StatusNotFound,
	fault.Internal: http.StatusInternalServerError,
}

// errorData is the input of the template of errors.
type errorData struct {
	Message, RequestID string
	Back               string // the path of the organisation; "" for none
}

// respondError writes a page that states the error.
func (c *Console) respondError(w http.ResponseWriter, r *http.Request, err error) {
	status, ok := statuses[fault.CodeOf(err)]
	if !ok {
		status = http.StatusServiceUnavailable
	}
	message := fault.MessageOf(err)
	if status >= http.StatusInternalServerError {
		c.Log.ErrorContext(r.Context(), "console request failed", "error", err)
	}
	if status == http.StatusInternalServerError {
		message = "This is a defect of the server. The log has its details under the id of this request."
	}
	data := errorData{Message: message, RequestID: trace.IDFromContext(r.Context())}
	if err := c.respond(w, r, status, "error", view{Title: http.StatusText(status), Data: data}); err != nil {
		c.Log.ErrorContext(r.Context(), "console page failed", "error", err)
	}
}

func (c *Console) serveStyles(w http.ResponseWriter, r *http.Request) error {
	http.ServeFileFS(w, r, pageFiles, "page/console.css")
	return nil
}
