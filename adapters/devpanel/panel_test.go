package devpanel_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devclock"
	"github.com/vc-admin/diy/adapters/devpanel"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	visa        = "4242424242424242"
	bankAccount = "6000000000056819"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// env is a panel with a fake provider that has one customer.
type env struct {
	*devpanel.Panel
	fake           *fakepayment.Provider
	clock          *devclock.Clock
	customerID     string
	cardID         string
	disputeChanges []string
}

func newEnv(t *testing.T, cardNumber string) *env {
	t.Helper()
	e := &env{}
	var err error
	e.clock, err = devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	e.fake, err = fakepayment.Open(fakepayment.Config{Clock: e.clock, Prices: catalogue.Default()})
	require.NoError(t, err)
	e.fake.SetSink(func(context.Context, []byte, string) error { return nil })
	require.NoError(t, e.fake.Start(t.Context()))
	t.Cleanup(func() { require.NoError(t, e.fake.Stop(context.Background())) })
	c, err := e.fake.CreateCustomer(t.Context(), payment.NewCustomer{Key: "customer", OrganisationID: "org_1"})
	require.NoError(t, err)
	e.customerID = c.ID
	method, err := e.fake.CreatePaymentMethod(t.Context(), fakepayment.CardEntry{Number: cardNumber, ExpMonth: 12, ExpYear: 2034, CVC: "123"})
	require.NoError(t, err)
	card, err := e.fake.AddCard(t.Context(), payment.NewCard{Key: "card", CustomerID: c.ID, MethodID: method.ID})
	require.NoError(t, err)
	e.cardID = card.ID
	e.Panel = devpanel.New(devpanel.Options{
		Clock: e.clock, Fake: e.fake, HasTestCards: true, Pages: noPages,
		Emails: func() []devpanel.Email {
			return []devpanel.Email{{
				To: "ada@example.test", Subject: "Verify <b>", Text: "Open https://clinic.test/verify?token=1.", SentAt: noon,
			}}
		},
		ChangeDispute: func(_ context.Context, number, action string) error {
			e.disputeChanges = append(e.disputeChanges, number+" "+action)
			return nil
		},
	})
	return e
}

func noPages(*http.Request) []devpanel.Page {
	return []devpanel.Page{{Path: "/dev/mailbox", Description: "The emails"}}
}

// subscribe starts a subscription and returns it.
func (e *env) subscribe(t *testing.T, trialDays int) billing.Subscription {
	t.Helper()
	s, err := e.fake.Subscribe(t.Context(), payment.NewSubscription{
		Key: "subscribe", CustomerID: e.customerID, TrialDays: trialDays,
		Price: catalogue.PriceRef{Product: "professional", Interval: catalogue.Monthly, Currency: "AUD"},
	})
	require.NoError(t, err)
	return s
}

// invoiceNumber returns the number of the subscription's latest invoice.
func (e *env) invoiceNumber(t *testing.T, s billing.Subscription) (number string) {
	t.Helper()
	require.NoError(t, e.fake.Read(t.Context(), func(snapshot fakepayment.Snapshot) error {
		inv, _ := snapshot.Invoice(s.LatestInvoice.ID)
		number = inv.Number
		return nil
	}))
	return number
}

func send(t *testing.T, h http.Handler, method, target, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// submit submits a form, requires a redirect, and returns the page that it leads to.
func (e *env) submit(t *testing.T, path string, fields ...string) string {
	t.Helper()
	w := send(t, e, http.MethodPost, path, form(fields...))
	require.Equal(t, http.StatusSeeOther, w.Code, w.Body.String())
	target, _, _ := strings.Cut(w.Header().Get("Location"), "#")
	return e.page(t, target)
}

func (e *env) page(t *testing.T, target string) string {
	t.Helper()
	w := send(t, e, http.MethodGet, target, "")
	require.Equal(t, http.StatusOK, w.Code)
	return w.Body.String()
}

// requireRefused submits a form and requires the status and an alert.
func (e *env) requireRefused(t *testing.T, status int, alert, path string, fields ...string) {
	t.Helper()
	w := send(t, e, http.MethodPost, path, form(fields...))
	assert.Equal(t, status, w.Code)
	assert.Contains(t, w.Body.String(), `role="alert">`+alert)
}

func form(fields ...string) string {
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	return values.Encode()
}

func TestPanel_AdvancesTheClockToTheNextStep(t *testing.T) {
	e := newEnv(t, visa)
	assert.Contains(t, e.page(t, "/dev"), "Nothing is due, so the clock can't advance")
	s := e.subscribe(t, 7)
	assert.Contains(t, e.page(t, "/dev"), "Trial ends, first charge")

	page := e.submit(t, "/dev/panel/clock", "to", "2026-03-08T12:00:00Z")

	assert.Contains(t, page, `role="status">The clock was moved.`)
	assert.Contains(t, page, "Period ends, renewal")
	s, err := e.fake.Subscription(t.Context(), s.ID)
	require.NoError(t, err)
	assert.Equal(t, billing.Active, s.Status)
	e.submit(t, "/dev/panel/clock", "to", "2026-03-08T12:00:00Z")
	assert.Equal(t, noon.AddDate(0, 0, 7), e.clock.Now(), "a repeated form does not move the clock again")
}

func TestPanel_AdvancesTheClockByADuration(t *testing.T) {
	e := newEnv(t, visa)

	e.submit(t, "/dev/panel/clock", "by", " 90m ")

	assert.Equal(t, noon.Add(90*time.Minute), e.clock.Now())
	e.requireRefused(t, http.StatusBadRequest, "Enter hours, minutes or seconds", "/dev/panel/clock", "by", "a week")
	e.requireRefused(t, http.StatusBadRequest, "The clock can only be moved forwards.", "/dev/panel/clock", "by", "-1h")
	e.requireRefused(t, http.StatusBadRequest, "This is not a time.", "/dev/panel/clock", "to", "tomorrow")
}

func TestPanel_RefundsOnceAndRefusesInvalidInvoiceActions(t *testing.T) {
	e := newEnv(t, visa)
	assert.Contains(t, e.page(t, "/dev"), "No invoices yet")
	number := e.invoiceNumber(t, e.subscribe(t, 0))
	invoice := func(fields ...string) []string { return append([]string{"invoice", number}, fields...) }
	assert.Contains(t, e.page(t, "/dev"), "<dt>Return</dt><dd>Only payments from bank accounts are returned.</dd>")

	page := e.submit(t, "/dev/panel/invoice", invoice("action", "refund", "amount", "10.50", "key", "k")...)

	assert.Contains(t, page, "The refund was made.")
	assert.Contains(t, page, "<li>AUD 10.50 refunded</li>")
	page = e.submit(t, "/dev/panel/invoice", invoice("action", "refund", "amount", "10.50", "key", "k")...)
	assert.Contains(t, page, "<li>AUD 10.50 refunded</li>", "a repeated form refunds nothing")
	e.requireRefused(t, http.StatusConflict, "More than was paid", "/dev/panel/invoice", invoice("action", "refund", "amount", "10000")...)
	e.requireRefused(t, http.StatusBadRequest, "The refund must be an amount of AUD", "/dev/panel/invoice", invoice("action", "refund", "amount", "x")...)
	e.requireRefused(t, http.StatusConflict, "The invoice is not open.", "/dev/panel/invoice", invoice("action", "pay")...)
	e.requireRefused(t, http.StatusConflict, "Only payments from bank", "/dev/panel/invoice", invoice("action", "return")...)
	e.requireRefused(t, http.StatusBadRequest, "The action must be", "/dev/panel/invoice", invoice("action", "void")...)
	e.requireRefused(t, http.StatusNotFound, "There is no invoice", "/dev/panel/invoice", "invoice", "X-1", "action", "pay")
	e.submit(t, "/dev/panel/dispute", invoice("action", "open")...)
	assert.Equal(t, []string{number + " open"}, e.disputeChanges)
}

func TestPanel_ReturnsAndPaysInvoicesOfBankAccounts(t *testing.T) {
	e := newEnv(t, bankAccount)
	number := e.invoiceNumber(t, e.subscribe(t, 0))
	assert.Contains(t, e.page(t, "/dev"), "<li>payment on its way</li>")
	e.submit(t, "/dev/panel/clock", "by", "72h")

	page := e.submit(t, "/dev/panel/invoice", "invoice", number, "action", "return")

	assert.Contains(t, page, "The bank has returned the payment.")
	assert.Contains(t, page, `<span class="badge open">open</span>`)
	page = e.submit(t, "/dev/panel/invoice", "invoice", number, "action", "pay")
	assert.Contains(t, page, "<li>payment on its way</li>")
}

func TestPanel_OpenDisputeOffersDecisionAndHoldLift(t *testing.T) {
	e := newEnv(t, visa)
	s := e.subscribe(t, 0)
	assert.Contains(t, e.page(t, "/dev"), "<dt>Lift hold</dt><dd>The customer is not on hold.</dd>")

	require.NoError(t, e.fake.Dispute(t.Context(), s.LatestInvoice.ID))

	page := e.page(t, "/dev")
	for _, want := range []string{`value="won"`, `value="lost"`, `value="lift"`, "<dt>Dispute</dt><dd>A dispute is open.</dd>", "customer on hold"} {
		assert.Contains(t, page, want)
	}
	assert.NotContains(t, page, `name="amount"`, "a disputed payment can't be refunded")
}

func TestPanel_SetsTheOutcomeOfTheNextCharge(t *testing.T) {
	e := newEnv(t, visa)

	page := e.submit(t, "/dev/panel/charge", "outcome", "insufficient_funds")

	assert.Contains(t, page, `<option value="insufficient_funds" selected>`)
	e.subscribe(t, 0)
	page = e.page(t, "/dev")
	assert.Contains(t, page, `<li>Your card has insufficient funds.</li>`)
	assert.Contains(t, page, `<option value="" selected>As the card decides`)
	e.requireRefused(t, http.StatusBadRequest, "There is no outcome", "/dev/panel/charge", "outcome", "lost")
}

func TestPanel_HoldsAndDeliversEvents(t *testing.T) {
	e := newEnv(t, visa)

	e.submit(t, "/dev/panel/events", "delivery", "held")
	e.subscribe(t, 0)

	page := e.page(t, "/dev")
	assert.Contains(t, page, `<option value="held" selected>`)
	assert.Contains(t, page, "<code>invoice.paid</code>")
	assert.Contains(t, e.submit(t, "/dev/panel/events", "delivery", ""), "All events are delivered.")
	e.requireRefused(t, http.StatusBadRequest, "There is no delivery", "/dev/panel/events", "delivery", "lost")
}

func TestPanel_EscapesEmailsAndListsTestCards(t *testing.T) {
	page := newEnv(t, visa).page(t, "/dev")

	assert.Contains(t, page, "Verify &lt;b&gt;")
	assert.Contains(t, page, `href="https://clinic.test/verify?token=1"`)
	assert.Contains(t, page, "<code>4000 0025 0000 3155</code>")
	assert.Contains(t, page, "<code>3782 822463 10005</code>")
}

func TestPanel_ForbidsScriptsAndCrossSiteRequests(t *testing.T) {
	e := newEnv(t, visa)

	w := send(t, e, http.MethodGet, "/dev", "")

	policy := w.Header().Get("Content-Security-Policy")
	assert.Contains(t, policy, "default-src 'none'; style-src 'self'")
	assert.NotContains(t, policy, "script-src")
	assert.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	assert.NotContains(t, w.Body.String(), "<script")
	assert.NotContains(t, w.Body.String(), "style=")
	_, paths := e.Paths()
	for _, path := range paths {
		for name, header := range map[string][]string{
			"Fetch metadata": {"Sec-Fetch-Site", "cross-site"}, "Origin": {"Origin", "https://evil.example"},
		} {
			assert.Equal(t, http.StatusForbidden, send(t, e, http.MethodPost, path, form("by", "1h"), header...).Code, path+name)
		}
	}
	assert.Equal(t, noon, e.clock.Now())
	css := send(t, e, http.MethodGet, "/dev/panel.css", "")
	assert.Contains(t, css.Header().Get("Content-Type"), "text/css")
}

func TestPanel_WithoutFakeProviderHidesItsForms(t *testing.T) {
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	panel := devpanel.New(devpanel.Options{Clock: clock, Pages: noPages})

	page := send(t, panel, http.MethodGet, "/dev", "").Body.String()

	for _, absent := range []string{"Invoices", "Disputes", "Next charge", "Events", "Test cards", "Nothing is due"} {
		assert.NotContains(t, page, absent)
	}
	assert.Contains(t, page, "DIY_SMTP_URL is set")
	assert.Contains(t, page, `<a href="/dev/mailbox">`)
	assert.Equal(t, http.StatusNotFound, send(t, panel, http.MethodPost, "/dev/panel/invoice", "action=pay").Code)
}

func TestPanel_ShowsErrorOfChangeDispute(t *testing.T) {
	clock, err := devclock.Open("", func() time.Time { return noon })
	require.NoError(t, err)
	panel := devpanel.New(devpanel.Options{Clock: clock, Pages: noPages, ChangeDispute: func(context.Context, string, string) error {
		return fault.Wrap(errors.New("x"), fault.NotFound, "There is no such invoice.")
	}})

	assert.Contains(t, send(t, panel, http.MethodGet, "/dev", "").Body.String(), "Number of the invoice")
	w := send(t, panel, http.MethodPost, "/dev/panel/dispute", form("invoice", "FG-1", "action", "open"))

	assert.Equal(t, http.StatusNotFound, w.Code)
	assert.Contains(t, w.Body.String(), "There is no such invoice.")
}
