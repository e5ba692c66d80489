// Package devpanel serves the development panel at /dev: one page of forms with which developers move the clock, read the
// newest emails, act on invoices as customers and banks do, and choose the outcome of the next charge and how events are
// delivered. The page needs no script. It shows what the configured providers can do, and leaves out the rest. It has no
// authentication and must not be served in production.
package devpanel

import (
	"bytes"
	"context"
	"crypto/rand"
	"embed"
	"html/template"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/testcards"
	"github.com/vc-admin/diy/domain/fault"
)

const (
	maxEmails   = 5
	maxInvoices = 20
	maxSteps    = 5
	maxEvents   = 10
	maxBody     = 64 << 10

	timeout = 30 * time.Second // of an action, with the delivery of its events

	timeFormat = "Mon 2 January 2006, 15:04:05 UTC"
)

// Clock is the clock of the application.
type Clock interface {
	Now() time.Time
	// Advance moves the clock forwards and returns when the work that became due is done.
	Advance(step time.Duration) (time.Time, error)
}

// Email is an email that was sent.
type Email struct {
	To, Subject, Text string
	SentAt            time.Time
}

// Page is another page for developers.
type Page struct{ Path, Description string }

// Options configure a Panel. Clock and Pages are required. The page leaves out the parts whose other options are nil or
// false.
type Options struct {
	Clock         Clock
	Emails        func() []Email               // newest first; nil if a mail server sends the emails
	Pages         func(r *http.Request) []Page // that the server of the request has
	HasTestCards  bool                         // the provider accepts the numbers of package testcards
	Fake          *fakepayment.Provider        // nil for another provider
	ChangeDispute ChangeDispute                // nil for a provider whose disputes can't be changed
}

// ChangeDispute opens a dispute of the payment of an invoice (open), decides it (won, lost), or lifts the hold of the
// customer (lift).
type ChangeDispute func(ctx context.Context, invoiceNumber, action string) error

// Panel serves the page and its forms.
type Panel struct {
	Options
	handler http.Handler
}

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("panel.html").Funcs(template.FuncMap{
	"longTime": func(t time.Time) string { return t.Format(timeFormat) },
	"rfc3339":  func(t time.Time) string { return t.Format(time.RFC3339Nano) },
}).ParseFS(pageFiles, "page/panel.html"))

// policy is the content security policy of the page. It allows no script.
const policy = "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// New returns a panel.
func New(o Options) *Panel {
	p := &Panel{Options: o}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /dev", func(w http.ResponseWriter, r *http.Request) {
		result := results[r.URL.Query().Get("done")]
		p.respond(w, r, http.StatusOK, notice{Section: result.section, Text: result.text})
	})
	mux.HandleFunc("GET /dev/panel.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, pageFiles, "page/panel.css")
	})
	for path, action := range p.actions() {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) { p.perform(w, r, action) })
	}
	p.handler = http.NewCrossOriginProtection().Handler(mux)
	return p
}

// Paths returns the paths that the panel serves.
func (p *Panel) Paths() (get, post []string) {
	for path := range p.actions() {
		post = append(post, path)
	}
	return []string{"/dev", "/dev/panel.css"}, post
}

// ServeHTTP implements http.Handler. It refuses forms of other websites with 403.
func (p *Panel) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.handler.ServeHTTP(w, r) }

// action performs a form and returns the key of its result in results.
type action func(ctx context.Context, form func(name string) string) (result string, err error)

// actions returns the forms by path.
func (p *Panel) actions() map[string]action {
	actions := map[string]action{"/dev/panel/clock": p.moveClock}
	if p.Fake != nil {
		actions["/dev/panel/charge"], actions["/dev/panel/events"] = p.setNextCharge, p.setEventDelivery
		actions["/dev/panel/invoice"] = p.changeInvoice
	}
	if p.ChangeDispute != nil {
		actions["/dev/panel/dispute"] = p.changeDispute
	}
	return actions
}

// results contains what the page states after a form, by the value of the parameter done.
var results = map[string]struct{ section, text string }{
	"clock":   {"clock", "The clock was moved."},
	"charge":  {"charge", "The outcome of the next charge is set."},
	"events":  {"events", "The delivery of events is set."},
	"pay":     {"invoices", "The invoice was charged. Its state shows the outcome."},
	"refund":  {"invoices", "The refund was made."},
	"return":  {"invoices", "The bank has returned the payment."},
	"dispute": {"invoices", "The dispute was changed."},
}

// notice is the result of a form.
type notice struct {
	Section string // that states it; "" for an error, which the top of the page states
	Text    string
}

// perform performs the action, and redirects to its result or responds with the page and the error.
func (p *Panel) perform(w http.ResponseWriter, r *http.Request, perform action) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	result, err := perform(ctx, func(name string) string { return strings.TrimSpace(r.PostFormValue(name)) })
	if err != nil {
		status := http.StatusServiceUnavailable
		switch fault.CodeOf(err) {
		case fault.Invalid:
			status = http.StatusBadRequest
		case fault.NotFound:
			status = http.StatusNotFound
		case fault.Conflict:
			status = http.StatusConflict
		}
		p.respond(w, r, status, notice{Text: fault.MessageOf(err)})
		return
	}
	http.Redirect(w, r, "/dev?done="+result+"#"+results[result].section, http.StatusSeeOther)
}

// view is the input of the template.
type view struct {
	Options
	Notice notice
	Now    time.Time
	Emails []emailView
	Pages  []Page
	Cards  []numberView
	Fake   *fakeView // nil for another provider
}

type emailView struct {
	Email
	Link string // the first link in the text, or ""
}

type numberView struct{ Number, Description string }

// NoticeIn returns the result that the section states, or "".
func (v view) NoticeIn(section string) string {
	if v.Notice.Section != section {
		return ""
	}
	return v.Notice.Text
}

// respond writes the page.
func (p *Panel) respond(w http.ResponseWriter, r *http.Request, status int, n notice) {
	v := view{Options: p.Options, Notice: n, Now: p.Clock.Now(), Emails: p.newestEmails(), Pages: p.Pages(r)}
	if p.HasTestCards {
		v.Cards = testNumbers()
	}
	if p.Fake != nil {
		fake, err := p.readFake(r.Context())
		if err != nil {
			http.Error(w, fault.MessageOf(err), http.StatusServiceUnavailable)
			return
		}
		v.Fake = fake
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, v); err != nil {
		http.Error(w, "The page can't be shown.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w) // fails if the browser has disconnected
}

var urlPattern = regexp.MustCompile(`https?://[^\s<>"]+`)

func (p *Panel) newestEmails() (emails []emailView) {
	if p.Emails == nil {
		return nil
	}
	newest := p.Emails()
	for _, e := range newest[:min(maxEmails, len(newest))] {
		emails = append(emails, emailView{e, strings.TrimRight(urlPattern.FindString(e.Text), ".,;:!?)]'")})
	}
	return emails
}

// testNumbers returns the numbers of the test cards and bank accounts, grouped as on cards.
func testNumbers() (numbers []numberView) {
	for _, n := range append(testcards.Cards(), testcards.Accounts()...) {
		groups := []int{4, 8, 12}
		if isAmex := len(n.Digits) == 15; isAmex {
			groups = []int{4, 10}
		}
		number := n.Digits
		for _, end := range slices.Backward(groups) {
			number = number[:end] + " " + number[end:]
		}
		numbers = append(numbers, numberView{number, n.Description})
	}
	return numbers
}

// moveClock moves the clock to the time "to" or by the duration "by".
func (p *Panel) moveClock(_ context.Context, form func(string) string) (string, error) {
	if to := form("to"); to != "" {
		at, err := time.Parse(time.RFC3339Nano, to)
		if err != nil {
			return "", fault.New(fault.Invalid, "This is not a time.")
		}
		if !at.After(p.Clock.Now()) {
			return "clock", nil // the time has come meanwhile
		}
		_, err = p.Clock.Advance(at.Sub(p.Clock.Now()))
		return "clock", err
	}
	step, err := time.ParseDuration(form("by"))
	if err != nil {
		return "", fault.New(fault.Invalid, "Enter hours, minutes or seconds, such as 192h or 90m.")
	}
	_, err = p.Clock.Advance(step)
	return "clock", err
}

func (p *Panel) changeDispute(ctx context.Context, form func(string) string) (string, error) {
	return "dispute", p.ChangeDispute(ctx, form("invoice"), form("action"))
}

// newKey returns an idempotency key for a form.
func newKey() string { return "devpanel_" + rand.Text() }
