//go:build !race

// The histories take twelve times as long under the race detector.

package enginepayment

import (
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
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// TestProvider_AgreesWithTheFakeProvider sends the same random requests to a provider with a card gateway and to the fake
// provider, which computes periods, credit and holds with code of its own. After each request both must have the same
// subscriptions, invoices, credit and next actions. Run more histories with -rapid.checks.
func TestProvider_AgreesWithTheFakeProvider(t *testing.T) {
	t.Parallel()
	paymenttest.SetChecks(t, 20)
	rapid.Check(t, func(rt *rapid.T) {
		p := newProviderPair(t, rt)
		for range rapid.IntRange(5, 40).Draw(rt, "length") {
			p.runRandomCommand()
			require.Equal(rt, p.fakeState(), p.engineState())
		}
	})
}

// providerPair is a customer of a provider that bills for the fake gateway, and of the fake provider. Their clocks are the
// same.
type providerPair struct {
	*rapid.T
	test                         *testing.T
	engine                       *env
	fake                         *fakepayment.Provider
	engineCustomer, fakeCustomer string
	defaultCard                  string // its number
}

// cardsOfPair contains the numbers of test cards at the fake provider, and their behaviours at the gateway.
var cardsOfPair = map[string]fakegateway.Behaviour{
	"4242424242424242": fakegateway.Pays, "4000000000000341": fakegateway.Declines, "4000000000009987": fakegateway.DeclinesHard,
	"4000000000001000": fakegateway.PaysOnce, "4000000000009995": fakegateway.LacksFunds,
	"4000002500003155": fakegateway.AuthenticatesOnce, "4000000000000002": fakegateway.DeclinesSaving,
}

func newProviderPair(t *testing.T, rt *rapid.T) *providerPair {
	p := &providerPair{T: rt, test: t, engine: newEnv(t, newSQLite(t), cards, nil)}
	fake, err := fakepayment.Open(fakepayment.Config{Clock: p.engine.clock, Prices: catalogue.Default()})
	require.NoError(rt, err)
	rt.Cleanup(func() { require.NoError(t, fake.Stop(t.Context())) })
	p.fake = fake
	req := payment.NewCustomer{Key: rand.Text(), OrganisationID: "org_1", Name: "Northside Clinic", Currency: "AUD"}
	p.engineCustomer, p.fakeCustomer = p.createCustomer(p.engine, req), p.createCustomer(p.fake, req)
	p.addCard("4242424242424242")
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

func (p *providerPair) sides() [2]side {
	return [2]side{{p.engine.Provider, p.engineCustomer}, {p.fake, p.fakeCustomer}}
}

// send sends a request to both providers and requires the same result.
func (p *providerPair) send(name string, request func(side) error) {
	var errs [2]error
	for i, s := range p.sides() {
		errs[i] = request(s)
	}
	p.Log(name, errs[0])
	require.Equal(p, fault.CodeOf(errs[1]), fault.CodeOf(errs[0]), "%s: %v, fake: %v", name, errs[0], errs[1])
	p.work()
}

// work does what the background workers do.
func (p *providerPair) work() {
	p.engine.runWorker(p.test)
	require.NoError(p, p.fake.Tick(p.Context()))
}

// subscriptions returns the subscriptions of the customer, newest first.
func (s side) subscriptions(p *providerPair) []billing.Subscription {
	subs, err := s.ListSubscriptions(p.Context(), s.customerID)
	require.NoError(p, err)
	return subs
}

// invoices returns the invoices of the customer, newest first.
func (s side) invoices(p *providerPair) []billing.Invoice {
	list, err := s.ListInvoices(p.Context(), payment.InvoiceQuery{CustomerID: s.customerID, Limit: 100})
	require.NoError(p, err)
	return list.Invoices
}

func (p *providerPair) runRandomCommand() {
	commands := []func(){p.drawCard, p.addCredit, p.passTime, p.passTime, p.passTime, p.liftHold}
	subs := p.sides()[0].subscriptions(p)
	if len(subs) == 0 || subs[0].Status.Ended() {
		commands = append(commands, p.subscribe, p.subscribe, p.subscribe)
	}
	if len(subs) > 0 {
		commands = append(commands, p.changePlan, p.changePlan, p.changePlan, p.setEnd, p.cancel, p.pay, p.pay, p.authenticate, p.authenticate,
			p.extendTrial, p.cancelScheduledChange, p.cancelPendingChange, p.renew, p.renew, p.refund, p.dispute, p.closeDispute)
	}
	rapid.SampledFrom(commands).Draw(p.T, "command")()
}

func (p *providerPair) drawCard() {
	numbers := []string{
		"4242424242424242", "4242424242424242", "4000000000000341", "4000000000009987", "4000000000001000", "4000000000009995",
		"4000002500003155", "4000002500003155", "4000000000000002",
	}
	p.addCard(rapid.SampledFrom(numbers).Draw(p.T, "card"))
}

// addCard saves a card and makes it the default one.
func (p *providerPair) addCard(number string) {
	if cardsOfPair[number] != fakegateway.DeclinesSaving {
		p.defaultCard = number
	}
	p.send("add a card", func(s side) error {
		id := p.engine.fake.CreateToken(cardsOfPair[number])
		if s.Provider == p.fake {
			m, err := p.fake.CreatePaymentMethod(p.Context(),
				fakepayment.CardEntry{Number: number, ExpMonth: 12, ExpYear: 2050, CVC: "123"})
			if err != nil {
				return err
			}
			id = m.ID
		}
		_, err := s.AddCard(p.Context(), payment.NewCard{Key: rand.Text(), CustomerID: s.customerID, MethodID: id})
		return err
	})
}

func (p *providerPair) drawPrice() catalogue.PriceRef {
	product := rapid.SampledFrom([]string{"standard", "professional"}).Draw(p.T, "product")
	interval := rapid.SampledFrom([]catalogue.Interval{catalogue.Monthly, catalogue.Yearly}).Draw(p.T, "interval")
	return catalogue.PriceRef{Product: product, Interval: interval, Currency: "AUD"}
}

func (p *providerPair) subscribe() {
	price, trialDays := p.drawPrice(), rapid.SampledFrom([]int{0, 0, 7}).Draw(p.T, "trial days")
	p.send("subscribe", func(s side) error {
		req := payment.NewSubscription{Key: rand.Text(), CustomerID: s.customerID, Price: price, TrialDays: trialDays}
		_, err := s.Subscribe(p.Context(), req)
		return err
	})
}

// drawIndex returns the index of a subscription.
func (p *providerPair) drawIndex() int {
	return rapid.IntRange(0, min(1, len(p.sides()[0].subscriptions(p))-1)).Draw(p.T, "subscription")
}

func (p *providerPair) changePlan() {
	price, i := p.drawPrice(), p.drawIndex()
	timings := []billing.ChangeTiming{billing.ChangeNow, billing.ChangeNow, billing.ChangeAtRenewal}
	timing := rapid.SampledFrom(timings).Draw(p.T, "when")
	if p.sides()[0].subscriptions(p)[i].Price == price {
		return
	}
	p.send("change", func(s side) error {
		sub := s.subscriptions(p)[i]
		req := payment.PriceChange{
			Key: rand.Text(), SubscriptionID: sub.ID, From: sub.Price, To: price, When: timing, EndTrial: sub.Status == billing.Trialing,
		}
		if timing == billing.ChangeNow {
			q, err := s.QuoteChange(p.Context(), req)
			if err != nil {
				return err
			}
			req.At, req.Quoted = q.At, billing.QuotedAmounts{DueNow: q.DueNow, CreditAfter: q.CreditAfter}
		}
		_, err := s.ChangePlan(p.Context(), req)
		return err
	})
}

func (p *providerPair) setEnd() {
	i, end := p.drawIndex(), rapid.Bool().Draw(p.T, "end")
	p.send("end at the end of the period", func(s side) error {
		_, err := s.SetEndAtPeriodEnd(p.Context(),
			payment.EndRequest{Key: rand.Text(), SubscriptionID: s.subscriptions(p)[i].ID, End: end})
		return err
	})
}

func (p *providerPair) cancel() {
	i, void := p.drawIndex(), rapid.Bool().Draw(p.T, "void")
	p.send("cancel", func(s side) error {
		_, err := s.CancelSubscription(p.Context(),
			payment.Cancellation{Key: rand.Text(), SubscriptionID: s.subscriptions(p)[i].ID, VoidInvoices: void})
		return err
	})
}

// pay pays the latest invoice of a subscription. It does not charge a card again that was declined permanently, which only
// enginepayment refuses.
func (p *providerPair) pay() {
	i := p.drawIndex()
	sub, err := p.engine.Subscription(p.Context(), p.sides()[0].subscriptions(p)[i].ID)
	require.NoError(p, err)
	if intent := sub.LatestInvoice.Payment; intent != nil && intent.HardDecline && p.defaultCard == "4000000000009987" {
		return
	}
	p.send("pay", func(s side) error {
		sub := s.subscriptions(p)[i]
		_, err := s.PayInvoice(p.Context(), payment.InvoicePayment{
			Key: rand.Text(), InvoiceID: sub.LatestInvoice.ID, Amount: sub.LatestInvoice.AmountRemaining(), Ended: sub.Status.Ended(),
		})
		return err
	})
}

// authenticate completes or fails the authentication that a subscription waits for.
func (p *providerPair) authenticate() {
	i, complete := p.drawIndex(), rapid.Bool().Draw(p.T, "complete")
	sub, err := p.engine.Subscription(p.Context(), p.sides()[0].subscriptions(p)[i].ID)
	require.NoError(p, err)
	if sub.Next.Kind != billing.ConfirmPayment && sub.Next.Kind != billing.ConfirmSetup {
		return
	}
	p.send("authenticate", func(s side) error {
		sub, err := s.Subscription(p.Context(), s.subscriptions(p)[i].ID)
		if err != nil {
			return err
		}
		if s.Provider != p.fake {
			_, err = p.engine.fake.Authenticate(sub.Next.Secret, complete)
			return err
		}
		outcome := fakepayment.OutcomeFail
		if complete {
			outcome = fakepayment.OutcomeComplete
		}
		_, err = p.fake.Confirm(p.Context(), fakepayment.Confirmation{ClientSecret: sub.Next.Secret, Outcome: outcome})
		return err
	})
}

func (p *providerPair) extendTrial() {
	i := p.drawIndex()
	p.send("extend the trial", func(s side) error {
		sub := s.subscriptions(p)[i]
		_, err := s.ExtendTrial(p.Context(),
			payment.TrialExtension{Key: rand.Text(), SubscriptionID: sub.ID, Until: sub.TrialEnd.Add(5 * day)})
		return err
	})
}

func (p *providerPair) cancelScheduledChange() {
	i := p.drawIndex()
	p.send("cancel the scheduled change", func(s side) error {
		_, err := s.CancelScheduledChange(p.Context(),
			payment.ScheduledChangeCancellation{Key: rand.Text(), SubscriptionID: s.subscriptions(p)[i].ID})
		return err
	})
}

func (p *providerPair) cancelPendingChange() {
	i := p.drawIndex()
	p.send("cancel the pending change", func(s side) error {
		sub := s.subscriptions(p)[i]
		if sub.Pending == nil {
			return nil
		}
		_, err := s.CancelPendingChange(p.Context(),
			payment.PendingChangeCancellation{Key: rand.Text(), SubscriptionID: sub.ID, InvoiceID: sub.Pending.InvoiceID})
		return err
	})
}

func (p *providerPair) addCredit() {
	amount, err := money.New(rapid.SampledFrom([]int64{1, 49, 51, 1000, 3900, 50_000}).Draw(p.T, "credit"), "AUD")
	require.NoError(p, err)
	p.send("credit", func(s side) error {
		_, err := s.AddCredit(p.Context(), payment.CreditGrant{Key: rand.Text(), CustomerID: s.customerID, Amount: amount})
		return err
	})
}

func (p *providerPair) liftHold() {
	p.send("lift the hold", func(s side) error {
		_, err := s.LiftHold(p.Context(), payment.HoldLift{Key: rand.Text(), CustomerID: s.customerID})
		return err
	})
}

// drawPaidInvoice returns the index of an invoice with a payment; ok is false if there is none.
func (p *providerPair) drawPaidInvoice() (index int, ok bool) {
	var paid []int
	for i, inv := range p.sides()[0].invoices(p) {
		if inv.Status == billing.InvoicePaid && inv.AmountPaid.Minor() > 0 {
			paid = append(paid, i)
		}
	}
	if len(paid) == 0 {
		return 0, false
	}
	return rapid.SampledFrom(paid).Draw(p.T, "invoice"), true
}

func (p *providerPair) refund() {
	i, ok := p.drawPaidInvoice()
	if !ok {
		return
	}
	part := rapid.SampledFrom([]int64{1, 3, 100}).Draw(p.T, "divisor")
	p.send("refund", func(s side) error {
		inv := s.invoices(p)[i]
		amount, err := money.New(max(1, inv.AmountPaid.Minor()/part), "AUD")
		require.NoError(p, err)
		_, err = s.Refund(p.Context(), payment.RefundRequest{Key: rand.Text(), InvoiceID: inv.ID, Amount: amount})
		return err
	})
}

// dispute disputes the payment of an invoice that was not disputed, or whose earlier dispute was won.
func (p *providerPair) dispute() {
	i, ok := p.drawPaidInvoice()
	if !ok {
		return
	}
	inv := p.sides()[0].invoices(p)[i]
	isDisputed := slices.ContainsFunc(inv.Returns, func(r billing.Return) bool {
		return r.Kind == billing.ReturnByDispute && r.Dispute != billing.DisputeWon
	})
	if isDisputed || inv.Refunded == inv.AmountPaid {
		return
	}
	p.send("dispute", func(s side) error {
		id := s.invoices(p)[i].ID
		if s.Provider == p.fake {
			return p.fake.Dispute(p.Context(), id)
		}
		p.engine.dispute(p.test, id)
		return nil
	})
}

// closeDispute decides the newest open dispute.
func (p *providerPair) closeDispute() {
	i := slices.IndexFunc(p.sides()[0].invoices(p), func(inv billing.Invoice) bool {
		return slices.ContainsFunc(inv.Returns, func(r billing.Return) bool { return r.Dispute == billing.DisputeOpen })
	})
	if i < 0 {
		return
	}
	won := rapid.Bool().Draw(p.T, "won")
	p.send("close the dispute", func(s side) error {
		id := s.invoices(p)[i].ID
		if s.Provider == p.fake {
			return p.fake.CloseDispute(p.Context(), id, won)
		}
		p.engine.closeDispute(p.test, id, won)
		return nil
	})
}

func (p *providerPair) passTime() {
	p.advance(rapid.SampledFrom([]time.Duration{time.Second, time.Hour, day, 3 * day, 8 * day, 32 * day}).Draw(p.T, "time"))
}

// renew lets the period of the newest subscription end.
func (p *providerPair) renew() {
	p.advance(max(time.Second, p.sides()[0].subscriptions(p)[0].CurrentPeriodEnd.Sub(p.engine.Now())+2*time.Hour))
}

// advance moves the clock from one due time of the gateway's customer to the next, so that both providers act at the same
// times.
func (p *providerPair) advance(d time.Duration) {
	for end := p.engine.Now().Add(d); p.engine.Now().Before(end); {
		next := end
		if due := p.engine.nextDue(p.test); !due.IsZero() && due.Before(end) {
			next = due
		}
		p.engine.moveClock(p.test, next.Sub(p.engine.Now()))
		p.work()
	}
}

func (p *providerPair) engineState() []string { return p.state(p.sides()[0]) }
func (p *providerPair) fakeState() []string   { return p.state(p.sides()[1]) }

// state returns a text about the customer, each subscription and each invoice, without the ids, which differ between the
// providers.
func (p *providerPair) state(s side) (lines []string) {
	c, err := s.Customer(p.Context(), s.customerID)
	require.NoError(p, err)
	lines = append(lines, fmt.Sprintln("customer", c.Currency, "credit", c.Credit.Minor(), "held", c.HeldCredit.Minor(), c.Hold))
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
	}
	for _, inv := range invoices {
		lines = append(lines, describeInvoice(inv, names)...)
	}
	return lines
}

// describeSubscription describes an overdue payment that has to be authenticated like a declined one. The fake provider keeps
// such a renewal open for an authentication. At the gateway it fails, and the next payment of the customer is authenticated.
func describeSubscription(s billing.Subscription, names map[string]string) []string {
	if s.Status != billing.Incomplete && s.Pending == nil && s.Next.Kind == billing.ConfirmPayment {
		s.Next.Kind, s.LatestInvoice.Payment = billing.NewPaymentMethod, &billing.Intent{Status: billing.RequiresPaymentMethod}
	}
	if s.PendingSetup != nil { // an authentication at the gateway expires after a day
		s.PendingSetup = &billing.Intent{Status: billing.RequiresAction}
		s.Next = billing.NextAction{Kind: billing.ConfirmSetup, Secret: "secret"}
	}
	lines := []string{
		fmt.Sprintln(names[s.ID], s.Status, s.Price, s.Amount.Minor(), "renewal", s.Renewal.Minor(), s.Hold),
		fmt.Sprintln("  created", formatTime(s.CreatedAt), "period", formatTime(s.PeriodStart), formatTime(s.CurrentPeriodEnd), "trial", formatTime(s.TrialEnd)),
		fmt.Sprintln("  ends", formatTime(s.EndsAt), "plan ends", formatTime(s.PlanEndsAt)),
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
