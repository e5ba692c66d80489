//go:build !race

package enginepayment

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// providerPair is a customer of a provider that bills for the fake gateway, and of the fake provider. Their clocks are the
// same.
type providerPair struct {
	*rapid.T
	test                         *testing.T
	engine                       *env
	fake                         *fakepayment.Provider
	engineCustomer, fakeCustomer string
}

func newProviderPair(t *testing.T, rt *rapid.T) *providerPair {
	p := &providerPair{T: rt, test: t, engine: newEnv(t, newSQLite(t), fakegateway.CardsAndDebits(), nil)}
	fake, err := fakepayment.Open(fakepayment.Config{Clock: p.engine.clock, Prices: catalogue.Default()})
	require.NoError(rt, err)
	rt.Cleanup(func() { require.NoError(t, fake.Stop(t.Context())) })
	p.fake = fake
	req := payment.NewCustomer{Key: rand.Text(), OrganisationID: "org_1", Name: "Northside Clinic", Currency: "AUD"}
	p.engineCustomer, p.fakeCustomer = p.createCustomer(p.engine, req), p.createCustomer(p.fake, req)
	p.addMethod("4242424242424242")
	return p
}

func (p *providerPair) createCustomer(provider payment.Provider, req payment.NewCustomer) string {
	c, err := provider.CreateCustomer(p.Context(), req)
	require.NoError(p, err)
	return c.ID
}

// side is a provider with its customer.
type side struct {
	payment.Provider
	customerID string
}

func (p *providerPair) engineSide() side { return side{p.engine.Provider, p.engineCustomer} }
func (p *providerPair) fakeSide() side   { return side{p.fake, p.fakeCustomer} }

// send sends a request to both providers and requires the same result.
func (p *providerPair) send(name string, request func(side) error) {
	var errs [2]error
	for i, s := range []side{p.engineSide(), p.fakeSide()} {
		errs[i] = request(s)
	}
	p.Log(name, errs[0])
	require.Equal(p, fault.CodeOf(errs[1]), fault.CodeOf(errs[0]), "%s: %v, fake: %v", name, errs[0], errs[1])
	p.runWorkers()
}

// runWorkers does what the background workers of both providers do.
func (p *providerPair) runWorkers() {
	p.engine.runWorker(p.test)
	require.NoError(p, p.fake.Tick(p.Context()))
}

// subscriptions returns the subscriptions of the customer, newest first.
func (s side) subscriptions(p *providerPair) []billing.Subscription {
	subs, err := s.ListSubscriptions(p.Context(), s.customerID)
	require.NoError(p, err)
	return subs
}

// methods returns the saved methods of the customer, newest first.
func (s side) methods(p *providerPair) []billing.PaymentMethod {
	methods, err := s.Cards(p.Context(), s.customerID)
	require.NoError(p, err)
	return methods
}

// lostCard ends the number of the card whose charges are declined permanently.
const lostCard = "9987"

// isDefaultDeclinedPermanently reports whether the default method is the card whose charges are declined permanently.
func (p *providerPair) isDefaultDeclinedPermanently() bool {
	c, err := p.engine.Customer(p.Context(), p.engineCustomer)
	require.NoError(p, err)
	return c.Default != nil && c.Default.Card.Last4 == lostCard
}

// canRetry reports whether a retry can charge the default method without the customer. If it can't, only the fake provider makes
// the retry, which fails, so only the fake provider announces it.
func canRetry(c billing.Customer, s billing.Subscription) bool {
	return c.Default != nil && c.Default.Card.Last4 != lostCard && intentStatus(s.LatestInvoice.Payment) != billing.RequiresAction
}

// invoices returns the invoices of the customer, newest first.
func (s side) invoices(p *providerPair) []billing.Invoice {
	list, err := s.ListInvoices(p.Context(), payment.InvoiceQuery{CustomerID: s.customerID, Limit: 100})
	require.NoError(p, err)
	return list.Invoices
}

// advance moves the clock from one due time of the gateway's customer, or of the bank, to the next, so that both providers act
// at the same times.
func (p *providerPair) advance(d time.Duration) {
	for end := p.engine.Now().Add(d); p.engine.Now().Before(end); {
		next := end
		if due := p.engine.nextDue(p.test); !due.IsZero() && due.Before(end) {
			next = due
		}
		if due := p.engine.fake.NextChangeAt(); !due.IsZero() && due.Before(next) {
			next = due
		}
		p.engine.moveClock(p.test, max(next.Sub(p.engine.Now()), time.Second))
		p.runWorkers()
	}
}

func (p *providerPair) engineState() []string { return p.state(p.engineSide()) }
func (p *providerPair) fakeState() []string   { return p.state(p.fakeSide()) }

// state returns a text about the customer, each subscription and each invoice, without the ids, which differ between the
// providers.
func (p *providerPair) state(s side) (lines []string) {
	c, err := s.Customer(p.Context(), s.customerID)
	require.NoError(p, err)
	lines = append(lines, fmt.Sprintln("customer", c.Currency, "credit", c.Credit.Minor(), "held", c.HeldCredit.Minor(), c.Hold))
	for _, m := range s.methods(p) {
		lines = append(lines, fmt.Sprintln("method", cmp.Or(m.Label, m.Card.Last4), m.ID == c.DefaultID()))
	}
	names := map[string]string{"": "none"}
	invoices, subs := s.invoices(p), s.subscriptions(p)
	for i, inv := range invoices {
		names[inv.ID] = fmt.Sprint("invoice ", len(invoices)-i)
	}
	for i, sub := range subs {
		names[sub.ID] = fmt.Sprint("subscription ", len(subs)-i)
		sub, err := s.Subscription(p.Context(), sub.ID)
		require.NoError(p, err)
		lines = append(lines, describeSubscription(sub, names)...)
		if !canRetry(c, sub) {
			i := slices.IndexFunc(invoices, func(inv billing.Invoice) bool { return inv.ID == sub.LatestInvoice.ID })
			invoices[i].NextAttemptAt = time.Time{}
		}
	}
	for _, inv := range invoices {
		lines = append(lines, describeInvoice(inv, names)...)
	}
	return lines
}

// removeReasonedDifference describes a renewal that has to be authenticated as if its payment had a secret. The fake
// provider keeps such a payment open. At the gateway it fails, and the customer pays again to get a secret. The end of the
// subscription cancels an open authentication at the gateway only, after which the customer pays the owed invoice again.
func removeReasonedDifference(s billing.Subscription) billing.Subscription {
	switch {
	case s.Next.Kind != billing.ConfirmPayment:
	case s.Status == billing.Canceled:
		s.Next.Kind, s.LatestInvoice.Payment = billing.NewPaymentMethod, &billing.Intent{Status: billing.RequiresPaymentMethod}
	case s.Status != billing.Incomplete && s.Pending == nil:
		s.Next.Secret = "secret"
	}
	return s
}

func describeSubscription(s billing.Subscription, names map[string]string) []string {
	s = removeReasonedDifference(s)
	if s.PendingSetup != nil { // an authentication at the gateway expires after a day
		s.PendingSetup = &billing.Intent{Status: billing.RequiresAction}
		s.Next = billing.NextAction{Kind: billing.ConfirmSetup, Secret: "secret"}
	}
	lines := []string{
		fmt.Sprintln(names[s.ID], s.Status, s.Price, s.Amount.Minor(), "renewal", s.Renewal.Minor(), s.Hold),
		fmt.Sprintln("  created", formatTime(s.CreatedAt), "period", formatTime(s.PeriodStart), formatTime(s.CurrentPeriodEnd), "trial", formatTime(s.TrialEnd)),
		fmt.Sprintln("  ends", formatTime(s.EndsAt), "plan ends", formatTime(s.UnpaidEndsAt)),
		fmt.Sprintln("  next", s.Next.Kind, names[s.Next.InvoiceID], "secret", s.Next.Secret != "" && s.Next.Kind != billing.NewPaymentMethod, "until", formatTime(s.Next.Until)),
	}
	if s.LatestInvoice != nil {
		lines = append(lines, fmt.Sprintln("  latest", names[s.LatestInvoice.ID], intentStatus(s.LatestInvoice.Payment)))
	}
	if c := s.Pending; c != nil {
		lines = append(lines, fmt.Sprintln("  pending", c.To, names[c.InvoiceID], c.Amount.Minor(), formatTime(c.ExpiresAt)))
		if c.Replaces != nil {
			lines = append(lines, fmt.Sprintln("  replaces", c.Replaces.To, c.Replaces.Amount.Minor(), formatTime(c.Replaces.At)))
		}
	}
	if c := s.Scheduled; c != nil {
		lines = append(lines, fmt.Sprintln("  scheduled", c.To, c.Amount.Minor(), formatTime(c.At)))
	}
	return append(lines, fmt.Sprintln("  setup", intentStatus(s.PendingSetup)))
}

func describeInvoice(inv billing.Invoice, names map[string]string) []string {
	lines := []string{
		fmt.Sprintln(names[inv.ID], "of", names[inv.SubscriptionID], inv.Status, "total", inv.Total.Minor(), "tax", inv.Tax.Minor(),
			"credit", inv.CreditUsed.Minor(), "carried", inv.CarriedForward.Minor(), "due", inv.AmountDue.Minor(),
			"paid", inv.AmountPaid.Minor(), "refunded", inv.Refunded.Minor(), "credited", inv.Credited.Minor(),
			"returned", inv.Returned.Minor()),
		fmt.Sprintln("  created", formatTime(inv.CreatedAt), "paid", formatTime(inv.PaidAt), "next attempt", formatTime(inv.NextAttemptAt)),
	}
	for _, l := range inv.Lines {
		lines = append(lines, fmt.Sprintln("  line", l.Description, l.Price, l.Amount.Minor(), formatTime(l.Start), formatTime(l.End), l.Proration))
	}
	for _, r := range inv.Returns {
		lines = append(lines, fmt.Sprintln("  return", r.Kind, r.Amount.Minor(), formatTime(r.At), r.Dispute, formatTime(r.DecidedAt)))
	}
	return lines
}

func intentStatus(intent *billing.Intent) billing.IntentStatus {
	if intent == nil {
		return ""
	}
	return intent.Status
}

// formatTime formats a time, or returns "never".
func formatTime(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.Format(time.DateTime)
}
